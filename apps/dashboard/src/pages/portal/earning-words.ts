import type { PortalEarning } from '@tributary/contract'
import { formatDate, formatMoney } from '~/components/format/format.ts'
import { stateOf } from '~/components/format/money-state.ts'

export const KINDS = { sale: 'Sale', lead: 'Sign-up' } as const

/** What is left of it after refunds. */
export const leftOf = ({ amountCents, reversedCents }: PortalEarning) => amountCents - reversedCents

/** As the tiles of the overview call it: what an open payout has is no longer for the next one. */
export const shownState = (earning: PortalEarning) => {
  const state = stateOf(earning)
  return state === 'payable' && earning.inPayout ? 'on_its_way' : state
}

const NEXT: Record<ReturnType<typeof shownState>, (earning: PortalEarning) => string> = {
  held: ({ payableAt, heldForApproval }) =>
    heldForApproval ? 'Held for approval.' : `Held until ${formatDate(payableAt)}, in case of a refund.`,
  in_dispute: (earning) => disputedWords(earning) + restWords(earning),
  payable: () => 'Ready for the next payout.',
  on_its_way: () => 'In a payout that has not been sent yet.',
  paid: (earning) => `Paid out to you.${earning.disputedCents > 0 ? ` ${disputedWords(earning)}` : ''}`,
  reversed: () => 'Reversed.',
  voided: () => 'Voided.',
  review: () => 'The program is reviewing it.',
}

const isWhole = (earning: PortalEarning) => earning.disputedCents === leftOf(earning)

const disputedWords = (earning: PortalEarning) =>
  `${isWhole(earning) ? 'It' : `${formatMoney(earning.disputedCents, earning.currency)} of it`} is in dispute.`

/** Of one that is disputed in part. */
const restWords = (earning: PortalEarning) => {
  if (leftOf(earning) - earning.disputedCents - earning.paidCents <= 0) return ''
  if (earning.inPayout) return ' The rest is in a payout that has not been sent yet.'
  const isHeld = new Date(earning.payableAt) > new Date()
  return ` The rest ${isHeld ? `is held until ${formatDate(earning.payableAt)}` : 'comes with the next payout'}.`
}

/** What it waits for, and why something was taken off: never of whom. */
export const wordsOf = (earning: PortalEarning) => {
  const { reversedCents, paidCents, currency, state, because } = earning
  const isPaidInPart = paidCents > 0 && (state === 'payable' || state === 'held')
  const before = isPaidInPart
    ? [`${formatMoney(paidCents, currency)} of it was paid out to you. The rest follows.`]
    : []
  const taken =
    reversedCents > 0 && state !== 'reversed' ? [`${formatMoney(reversedCents, currency)} was taken back.`] : []
  return [...before, NEXT[shownState(earning)](earning), ...taken, ...because]
}
