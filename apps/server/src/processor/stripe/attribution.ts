import { identifier, PROCESSOR_METADATA, programId } from '@tributary/contract'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { fieldsOf } from './reading.ts'

/**
 * Who is to be credited. The program is the one that the first of these places names; the customer and the click may stand in
 * another place, as long as that names no other program. Metadata is written by the merchant's code and can be edited by
 * people: it says who, never how much, and what is not a possible value is as if it were absent.
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

/** A number is pasted with blanks around it easily. A customer's key is the merchant's own, and is taken as it is. */
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)
