import { rmSync } from 'node:fs'
import { findDataFolder } from '../apps/server/src/database/embedded/data-folder.ts'
import { startProcess } from './processes.ts'
import type { Place, Target } from './rounds.ts'

/** The references that the service is compared with: programs that receive the same requests and do less. */
const startReference = async (program: string, reference: { scenario: string; place: Place }, env = {}) => {
  const { nextMessage, pid, stop } = startProcess(program, env)
  const { port } = await nextMessage<{ port: number }>()
  const plan: Target['plan'] = () => ({ kind: 'clicks', affs: ['link-1'], returning: false, knownClickIds: [] })
  return { target: { ...reference, port, pid, plan, book: null } satisfies Target, stop }
}

/** A bare server that echoes a click's body. */
export const startFloor = () => startReference('bench/floor.ts', { scenario: 'floor: bare JSON echo', place: 'floor' })

/** A server that commits one row per click, on a separate Postgres. */
export const startBareInsert = async (dataDir: string) => {
  const bare = { scenario: 'insert: a bare row, committed', place: 'bare' } as const
  const { target, stop } = await startReference('bench/bare-insert.ts', bare, { BARE_DIR: dataDir })
  return {
    target,
    stop: async () => {
      await stop()
      // Outside of dataDir if root's Postgres could not enter it.
      rmSync(findDataFolder(dataDir, () => {}).home, { recursive: true, force: true })
    },
  }
}
