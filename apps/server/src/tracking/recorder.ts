import type { Clock } from '../clock.ts'

/** Dependencies of every recording operation. `hashKey` keys the hashes of emails and erased customers. */
export type Recorder = { clock: Clock; hashKey: string }
