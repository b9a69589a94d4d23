import type { Amounts, Purchase } from './fake.ts'

type Price = Required<Pick<Purchase, 'priceCents' | 'discountCents' | 'taxBps' | 'taxInclusive'>>

/** Tax is rounded once, on the discounted price. */
export const amountsOf = ({ priceCents, discountCents, taxBps, taxInclusive }: Price): Amounts => {
  const charged = priceCents - discountCents
  const taxCents = taxIn(charged, { taxBps, taxInclusive })
  const netCents = taxInclusive ? charged - taxCents : charged
  return { priceCents, discountCents, netCents, taxCents, totalCents: netCents + taxCents }
}

/** The tax contained in an inclusive amount, or due on an exclusive one. */
export const taxIn = (cents: number, { taxBps, taxInclusive }: Pick<Price, 'taxBps' | 'taxInclusive'>) =>
  Math.round((cents * taxBps) / (taxInclusive ? 10_000 + taxBps : 10_000))

export const NOTHING: Amounts = { priceCents: 0, discountCents: 0, netCents: 0, taxCents: 0, totalCents: 0 }

type Refunded = { totalCents: number; taxCents: number }

/** Rounded on the cumulative refund, so that the parts add up to the whole. */
export const refundOf = (amounts: Amounts, before: Refunded, cents: number | undefined) => {
  const leftCents = amounts.totalCents - before.totalCents
  const totalCents = cents ?? leftCents
  if (!Number.isInteger(totalCents) || totalCents < 1 || totalCents > leftCents)
    throw new Error(`Cannot refund ${totalCents}: ${leftCents} of the payment is left.`)
  const cumulative = before.totalCents + totalCents
  const taxAfter = Math.round((amounts.taxCents * cumulative) / amounts.totalCents)
  return { totalCents, taxCents: taxAfter - before.taxCents, isFull: cumulative === amounts.totalCents }
}
