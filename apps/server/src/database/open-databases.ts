import { placeShard } from './directories.ts'
import { openPools } from './pools.ts'
import { databaseOfProgram } from './schema/id-ranges.ts'
import { onlyShard, type Shards } from './shards.ts'

/** Shards in other databases than the directory. Not configurable yet: moving a workspace is not written. */
export type Places = {
  /** In the order of their numbers (id-ranges.ts). */
  shards: { databaseUrl: string; ownerUrl: string }[]
  /** Gives a new or existing workspace its database. */
  numberOf: (workspaceId: string) => number
}

type Pools = ReturnType<typeof openPools>
type Kind = 'db' | 'moneyDb' | 'processorDb' | 'deliveryDb'

/** The pools of every database. The directory is also the only shard, unless there are other places. */
export const openDatabases = (url: string, options: Parameters<typeof openPools>[1], places?: Places) => {
  const directory = openPools(url, options)
  const shards = places ? places.shards.map(({ databaseUrl }) => openPools(databaseUrl, options)) : [directory]
  const all = places ? [directory, ...shards] : shards
  return {
    urls: [url, ...(places?.shards ?? []).map(({ databaseUrl }) => databaseUrl)],
    directory,
    shards,
    shardsOn: (kind: Kind) => (places ? shardsIn(shards, { directory, kind, places }) : onlyShard(directory[kind])),
    pools: all.flatMap((each) => Object.values(each.all)),
    check: () => Promise.all(all.map((each) => each.check())),
    end: () => Promise.all(all.map((each) => each.end())),
  }
}

type Placement = { directory: Pools; kind: Kind; places: Places }

const shardsIn = (shards: Pools[], { directory, kind, places }: Placement): Shards => {
  const all = shards.map((pools) => pools[kind])
  for (const db of all) placeShard(db, directory[kind])
  const at = (number: number) => {
    const db = all[number] ?? all[0]
    if (!db) throw new Error('there are no shards')
    return db
  }
  return {
    all,
    ofProgram: (programId) => at(databaseOfProgram(programId)),
    ofWorkspace: (workspaceId) => at(places.numberOf(workspaceId)),
  }
}
