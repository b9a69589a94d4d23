import { identifier, PROCESSOR_METADATA, programId } from '@tributary/contract'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { fieldsOf } from './reading.ts'

/**
 * Who is to be credited, from the first of these places that names a program. Metadata is written by the merchant's code and
 * can be edited by people: it says who, never how much, and what is not a possible value is as if it were absent.
 */
export const attributionIn = (...places: unknown[]): PaymentReport['attribution'] => {
  for (const place of places) {
    const metadata = fieldsOf(place)
    const program = programId.safeParse(metadata[PROCESSOR_METADATA.programId])
    if (!program.success) continue
    return {
      programId: program.data,
      customerKey: identifier.safeParse(metadata[PROCESSOR_METADATA.customerKey]).data ?? null,
      clickId: identifier.safeParse(metadata[PROCESSOR_METADATA.clickId]).data ?? null,
    }
  }
  return null
}
