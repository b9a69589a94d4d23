/** The time as the service sees it. A test moves it; nothing waits. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
