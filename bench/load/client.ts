export type Answer = { status: number; body: string }
type Heard = { onAnswer: (answer: Answer) => void; onLost: (reason: string) => void }

/** One connection with one request under way. */
export type Client = { ask(request: string | Uint8Array): void; close(): void }
export type Connect = (port: number, heard: Heard) => Promise<Client>

/** By which program requests are sent: as lean as can be, or as those are that people use. */
export const CLIENTS = ['socket', 'fetch'] as const
export type ClientName = (typeof CLIENTS)[number]

/**
 * The service has more to do than it can and says so, which is no fault. Overloaded: nothing was recorded. Unavailable: it could
 * not wait for the end, so that it may have been.
 */
export const busyWith = (status: number, body: string) =>
  status === 503
    ? (['overloaded', 'unavailable'] as const).find((code) => body.includes(`"code":"${code}"`))
    : undefined
