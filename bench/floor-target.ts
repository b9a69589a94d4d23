import { startProcess } from './processes.ts'
import type { Target } from './rounds.ts'

/** A bare server that echoes what a click sends, in the form of something to measure. */
export const startFloor = async () => {
  const floor = startProcess('bench/floor.ts')
  const { port } = await floor.nextMessage<{ port: number }>()
  const target: Target = {
    scenario: 'floor: bare JSON echo',
    place: 'floor',
    port,
    pid: floor.pid,
    plan: () => ({ kind: 'clicks', affs: ['link-1'], returning: false, knownClickIds: [] }),
    book: null,
  }
  return { target, stop: floor.stop }
}
