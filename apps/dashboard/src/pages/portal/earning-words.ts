import type { PortalEarning } from '@tributary/contract'
import { formatDate, formatMoney } from '~/components/format.ts'

export const KINDS = { sale: 'Sale', lead: 'Sign-up' } as const

/** What is left of it after refunds. */
export const leftOf = ({ amountCents, reversedCents }: PortalEarning) => amountCents - reversedCents

const NEXT: Record<PortalEarning['state'], (earning: PortalEarning) => string> = {
  held: ({ payableAt }) => `Held until ${formatDate(payableAt)}, in case of a refund.`,
  payable: () => 'Ready: it comes with the next payout.',
  paid: () => 'Was paid out to you.',
  reversed: () => 'Was taken back.',
  review: () => 'Somebody is looking at it.',
}

/** What it waits for, and why something was taken off: never of whom. */
export const wordsOf = (earning: PortalEarning) => {
  const { reversedCents, currency, state, because } = earning
  const taken =
    reversedCents > 0 && state !== 'reversed' ? [`${formatMoney(reversedCents, currency)} was taken back.`] : []
  return [NEXT[state](earning), ...taken, ...because]
}
