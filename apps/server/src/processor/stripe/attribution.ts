import { identifier, PROCESSOR_METADATA, programId } from '@tributary/contract'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { fieldsOf } from './reading.ts'

/**
 * Reads the attribution from metadata. The first place that names a program decides; customer and click may come from another
 * place, unless it names a different program. Merchants can edit metadata, so it decides who is credited but never the amount,
 * and invalid values are ignored.
 */
export const attributionIn = (...sources: unknown[]): PaymentReport['attribution'] => {
  const candidates = sources.map(readMetadata)
  const named = candidates.find((candidate) => candidate.programId !== null)?.programId
  if (!named) return null
  const allowed = candidates.filter((candidate) => candidate.programId === null || candidate.programId === named)
  return {
    programId: named,
    customerKey: allowed.find((candidate) => candidate.customerKey !== null)?.customerKey ?? null,
    clickId: allowed.find((candidate) => candidate.clickId !== null)?.clickId ?? null,
  }
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
