import { rmSync } from 'node:fs'
import { findDataFolder } from '../apps/server/src/database/embedded/data-folder.ts'
import { startProcess } from './processes.ts'
import type { Place, Target } from './rounds.ts'

/** What the service is measured beside: programs that are sent what it is sent, and do less. */
const startReference = async (program: string, reference: { scenario: string; place: Place }, env = {}) => {
  const { nextMessage, pid, stop } = startProcess(program, env)
  const { port } = await nextMessage<{ port: number }>()
  const plan: Target['plan'] = () => ({ kind: 'clicks', affs: ['link-1'], returning: false, knownClickIds: [] })
  return { target: { ...reference, port, pid, plan, book: null } satisfies Target, stop }
}

/** A bare server that echoes what a click sends. */
export const startFloor = () => startReference('bench/floor.ts', { scenario: 'floor: bare JSON echo', place: 'floor' })

/** One that commits a row for it, on a Postgres of its own. */
export const startBareInsert = async (dataDir: string) => {
  const bare = { scenario: 'insert: a bare row, committed', place: 'bare' } as const
  const { target, stop } = await startReference('bench/bare-insert.ts', bare, { BARE_DIR: dataDir })
  return {
    target,
    stop: async () => {
      await stop()
      // Not within dataDir where root's Postgres could not come in.
      rmSync(findDataFolder(dataDir, () => {}).home, { recursive: true, force: true })
    },
  }
}
