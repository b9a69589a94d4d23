/** The current time. Tests replace it to move time without waiting. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Dependencies of every recording operation. `hashKey` keys the hashes of emails and erased customers; new click IDs start with `cell`. */
export type Recorder = { clock: Clock; hashKey: string; cell?: string }
