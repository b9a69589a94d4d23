/**
 * The load's own record, kept from responses alone. It knows nothing about how the service works, so it cannot be wrong
 * in the same way.
 */
export type Kind = 'click' | 'lead' | 'sale' | 'webhook'
export const KINDS: Kind[] = ['click', 'lead', 'sale', 'webhook']

/** `refused`: every response said that nothing was recorded. `unknown`: a response was missing or inconclusive. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

export type Entry = {
  id: string
  outcome: Outcome
  sent: number
  /** What must match besides the ID: the click ID, or the customer and amount. */
  clickId?: string
  customerKey?: string
  amountCents?: number
}

export type Ledger = ReturnType<typeof createLedger>

export const createLedger = () => {
  const books = Object.fromEntries(KINDS.map((kind) => [kind, new Map<string, Entry>()])) as Record<
    Kind,
    Map<string, Entry>
  >
  return {
    /** Recorded before the call is sent: from here on it may have an effect. */
    sending: (kind: Kind, id: string, details: Omit<Entry, 'id' | 'outcome' | 'sent'> = {}) => {
      const known = books[kind].get(id)
      if (!known) books[kind].set(id, { id, outcome: 'refused', sent: 1, ...details })
      else known.sent++
    },
    answered: (kind: Kind, id: string, outcome: Outcome, clickId?: string) => {
      const entry = books[kind].get(id)
      if (!entry) throw new Error(`a ${kind} was answered that was not sent: ${id}`)
      if (entry.outcome === 'acknowledged' || outcome === 'refused') return
      entry.outcome = outcome
      if (clickId) entry.clickId = clickId
    },
    sentBefore: (kind: Kind, id: string) => (books[kind].get(id)?.sent ?? 0) > 1,
    entries: (kind: Kind): Entry[] => [...books[kind].values()],
    has: (kind: Kind, id: string) => books[kind].has(id),
    count: (outcome: Outcome, kinds: Kind[] = KINDS) =>
      kinds.reduce(
        (sum, kind) => sum + [...books[kind].values()].filter((entry) => entry.outcome === outcome).length,
        0,
      ),
  }
}
