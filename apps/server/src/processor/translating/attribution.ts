import { INVOICE_METADATA, identifier, PROCESSOR_METADATA, programId } from '@tributary/contract'
import type { NamedCustomer } from '../translation.ts'
import { type Fields, fieldsOf } from './fields.ts'

/**
 * Reads the attribution from metadata. The first place that names a program decides; customer and click may come from another
 * place, unless it names a different program. Merchants can edit metadata, so it decides who is credited but never the amount,
 * and invalid values are ignored. Null if no place names anyone.
 */
export const attributionIn = (...sources: unknown[]): NamedCustomer | null => {
  const candidates = sources.map(readMetadata)
  const named = candidates.find((candidate) => candidate.programId !== null)?.programId ?? null
  const allowed = candidates.filter((candidate) => candidate.programId === null || candidate.programId === named)
  const customerKey = allowed.find((candidate) => candidate.customerKey !== null)?.customerKey ?? null
  const clickId = allowed.find((candidate) => candidate.clickId !== null)?.clickId ?? null
  return named === null && customerKey === null && clickId === null ? null : { programId: named, customerKey, clickId }
}

/** The merchant's own `invoice_id`. Never read it from metadata that renewals repeat. */
export const invoiceIdIn = (metadata: unknown): { invoiceId?: string } => {
  const { data } = identifier.safeParse(fieldsOf(metadata)[INVOICE_METADATA])
  return data === undefined ? {} : { invoiceId: data }
}

const readMetadata = (candidate: unknown) => {
  const metadata = fieldsOf(candidate)
  return {
    programId: programId.safeParse(trimmed(metadata[PROCESSOR_METADATA.programId])).data ?? null,
    customerKey: identifier.safeParse(metadata[PROCESSOR_METADATA.customerKey]).data ?? null,
    clickId: identifier.safeParse(metadata[PROCESSOR_METADATA.clickId]).data ?? null,
  }
}

/** IDs are often pasted with surrounding spaces. A customer key is used exactly as it is. */
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)

/** For processors that keep numbers in metadata: many merchants' IDs are numbers. */
export const numbersAsText = (metadata: unknown): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOf(metadata)).map(([name, value]) => [
      name,
      Number.isSafeInteger(value) ? String(value) : value,
    ]),
  )
