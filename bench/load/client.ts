export type Answer = { status: number; body: string }
type Handlers = { onAnswer: (answer: Answer) => void; onLost: (reason: string) => void }

/** One connection with one request in flight. */
export type Client = { ask(request: string | Uint8Array): void; close(): void }
export type Connect = (port: number, handlers: Handlers) => Promise<Client>

/** The client that sends requests: the leanest possible, or an ordinary one. */
export const CLIENTS = ['socket', 'fetch'] as const
export type ClientName = (typeof CLIENTS)[number]

/**
 * Being overloaded is not a fault. `overloaded`: nothing was recorded. `unavailable`: it timed out, so it may have
 * been.
 */
export const busyWith = (status: number, body: string) =>
  status === 503
    ? (['overloaded', 'unavailable'] as const).find((code) => body.includes(`"code":"${code}"`))
    : undefined
