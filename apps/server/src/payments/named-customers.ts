import { isErasedKey } from '../erased-key.ts'
import { byDescending } from './by-descending.ts'
import { wordsOf } from './latest-moment.ts'
import type { HeardReport, PaidAmount, PaymentReport } from './payment-report.ts'

export type Attribution = NonNullable<PaymentReport['attribution']>

/** The nearer to what the merchant's own code said at the checkout, the more it says about who bought. */
const NEAREST: PaidAmount['source'][] = ['payment', 'invoice', 'checkout']

/**
 * Everybody whom the reports of a payment name, the one whose sale it is first. Messages of one payment carry the same three
 * keys or fewer of them: what one lacks, another has. Where they contradict each other, the checkout is believed before the
 * invoice, with its subscription, and that before the bare payment.
 */
export const namedCustomers = (reports: HeardReport[]): Attribution[] => {
  const all = reports
    .filter(({ attribution }) => attribution !== null)
    .toSorted(
      byDescending(
        ({ says }) => (says.kind === 'paid' ? NEAREST.indexOf(says.source) : -1),
        ({ attribution }) => Number(attribution?.customerKey !== null),
        ({ attribution }) => Number(attribution?.clickId !== null),
        (report) => JSON.stringify(report.attribution) + wordsOf(report),
      ),
    )
    .flatMap(({ attribution }) => attribution ?? [])
  const programIds = [...new Set(all.map(({ programId }) => programId))]
  return programIds.flatMap((programId) => customersIn(all.filter((named) => named.programId === programId)))
}

const customersIn = (all: Attribution[]): Attribution[] => {
  const named = [...new Set(all.flatMap(({ customerKey }) => customerKey ?? []))]
  // Who was erased is not named again by a message that comes later.
  const erased = named.find(isErasedKey)
  const keys = erased ? [erased] : named.length > 0 ? named : [null]
  return keys.flatMap((key) => {
    // A click that came with somebody else's key is theirs; one that came with no key is whoever's has none of their own.
    const own = all.filter(({ customerKey }) => customerKey === key || erased)
    const keyless = all.filter(({ customerKey }) => customerKey === null)
    const clickId = [...own, ...keyless].find((one) => one.clickId !== null)?.clickId ?? null
    return all.slice(0, 1).map(({ programId }) => ({ programId, customerKey: key, clickId }))
  })
}
