import { createHash } from 'node:crypto'
import type { Json } from '../../database/tables.ts'
import type { Program } from '../../programs/programs.ts'

export type SaleCall = {
  program: Program
  invoiceId: string
  customerKey: string | null
  clickId: string | null
  amountCents: number
  currency: string
  eventName: string | null
  subscriptionId: string | null
  metadata: Json
}

type Said = Omit<SaleCall, 'program'>

/**
 * Everything the caller said, so that a retry can be told from another sale under a used invoice. The order of keys says
 * nothing: whoever reads their metadata from a database may get it in another order the next time.
 */
export const requestHashOf = (said: Said) => hashOf(said, inOrder(said.metadata))

/** Sales of before the order was settled have the hash of their metadata as it came; a plain retry comes so again. */
export const isSameRequest = (said: Said, storedHash: Uint8Array) =>
  [requestHashOf(said), hashOf(said, said.metadata)].some((hash) => hash.equals(storedHash))

const hashOf = (said: Said, metadata: Json) => {
  const { invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId } = said
  const words = [invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId, metadata]
  return createHash('sha256').update(JSON.stringify(words)).digest()
}

/** The same value with the keys of all its objects sorted. */
export const inOrder = (value: Json): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key] as Json)]))
}
