/** The current time. Tests replace it to move time without waiting. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
