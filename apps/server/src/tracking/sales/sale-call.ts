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

type SaleRequest = Omit<SaleCall, 'program'>

/**
 * Distinguishes a retry from a different sale with the same invoice ID. Metadata keys are sorted, because a merchant who reads
 * metadata from a database may send them in a different order on retry.
 */
export const hashSaleRequest = (request: SaleRequest) => hashFields(request, sortKeys(request.metadata))

/** Older sales were hashed with unsorted metadata, so both hashes are accepted. */
export const isSameRequest = (request: SaleRequest, storedHash: Uint8Array) =>
  [hashSaleRequest(request), hashFields(request, request.metadata)].some((hash) => hash.equals(storedHash))

const hashFields = (request: SaleRequest, metadata: Json) => {
  const { invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId } = request
  const fields = [invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId, metadata]
  return createHash('sha256').update(JSON.stringify(fields)).digest()
}

/** Sorts object keys at every level. */
export const sortKeys = (value: Json): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortKeys)
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key] as Json)]))
}
