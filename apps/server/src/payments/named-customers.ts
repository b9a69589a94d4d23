import { isErasedKey } from '../erased-key.ts'
import { byDescending, tieBreaker } from './compare-reports.ts'
import type { PaidAmount, PaymentReport, ReceivedReport } from './payment-report.ts'

export type Attribution = NonNullable<PaymentReport['attribution']>

/** From least to most reliable: the merchant's code sets the metadata at checkout. */
const SOURCES: PaidAmount['source'][] = ['payment', 'invoice', 'checkout']

/**
 * Lists the customers that a payment's reports name, starting with the customer of the sale. Each event carries some or all of
 * the three metadata keys, so reports complete each other. If they disagree, the checkout wins over the invoice (with its
 * subscription), and the invoice wins over the bare payment.
 */
export const listNamedCustomers = (reports: ReceivedReport[]): Attribution[] => {
  const all = reports
    .filter(({ attribution }) => attribution !== null)
    .toSorted(
      byDescending(
        ({ says }) => (says.kind === 'paid' ? SOURCES.indexOf(says.source) : -1),
        ({ attribution }) => Number(attribution?.customerKey !== null),
        ({ attribution }) => Number(attribution?.clickId !== null),
        (report) => JSON.stringify(report.attribution) + tieBreaker(report),
      ),
    )
    .flatMap(({ attribution }) => attribution ?? [])
  const programIds = [...new Set(all.map(({ programId }) => programId))]
  return programIds.flatMap((programId) => listCustomersOfProgram(all.filter((named) => named.programId === programId)))
}

const listCustomersOfProgram = (all: Attribution[]): Attribution[] => {
  const named = [...new Set(all.flatMap(({ customerKey }) => customerKey ?? []))]
  // A late event must not bring back the key of an erased customer.
  const erased = named.find(isErasedKey)
  const keys = erased ? [erased] : named.length > 0 ? named : [null]
  return keys.flatMap((key) => {
    // A click reported with another key belongs to that key; one reported without a key fits any key that has no click.
    const own = all.filter(({ customerKey }) => customerKey === key || erased)
    const keyless = all.filter(({ customerKey }) => customerKey === null)
    const clickId = [...own, ...keyless].find((one) => one.clickId !== null)?.clickId ?? null
    return all.slice(0, 1).map(({ programId }) => ({ programId, customerKey: key, clickId }))
  })
}
