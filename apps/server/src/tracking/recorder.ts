import type { Clock } from '../clock.ts'

/** What every operation that records something needs: the time, and the key of the hashes that compare people. */
export type Recorder = { clock: Clock; hashKey: string }
