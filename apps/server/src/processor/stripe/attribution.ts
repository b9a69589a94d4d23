import { identifier, PROCESSOR_METADATA, programId } from '@tributary/contract'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { fieldsOf } from './reading.ts'

/**
 * Reads the attribution from metadata. The first place that names a program decides; customer and click may come from another
 * place, unless it names a different program. Merchants can edit metadata, so it decides who is credited but never the amount,
 * and invalid values are ignored.
 */
export const attributionIn = (...places: unknown[]): PaymentReport['attribution'] => {
  const all = places.map(readPlace)
  const named = all.find((place) => place.programId !== null)?.programId
  if (!named) return null
  const own = all.filter((place) => place.programId === null || place.programId === named)
  return {
    programId: named,
    customerKey: own.find((place) => place.customerKey !== null)?.customerKey ?? null,
    clickId: own.find((place) => place.clickId !== null)?.clickId ?? null,
  }
}

const readPlace = (place: unknown) => {
  const metadata = fieldsOf(place)
  return {
    programId: programId.safeParse(trimmed(metadata[PROCESSOR_METADATA.programId])).data ?? null,
    customerKey: identifier.safeParse(metadata[PROCESSOR_METADATA.customerKey]).data ?? null,
    clickId: identifier.safeParse(metadata[PROCESSOR_METADATA.clickId]).data ?? null,
  }
}

/** IDs are often pasted with surrounding spaces. A customer key is used exactly as it is. */
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)
