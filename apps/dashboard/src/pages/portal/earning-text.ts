import type { PortalEarning } from '@tributary/contract'
import type { PortalProgram } from '~/api/portal.ts'
import { formatDate, formatMoney } from '~/components/format/format.ts'
import { capitalize } from '~/components/format/labels.ts'
import { displayState } from '~/components/format/money-state.ts'

const KINDS = { sale: 'Sale', lead: 'Lead', bonus: 'Bonus', manual: 'Commission' } as const

/** What it was earned for. A program gives a reason for what it adds by hand; a sale that it moved is still the sale. */
export const earnedFor = ({ kind, reason }: Pick<PortalEarning, 'kind' | 'reason'>) =>
  reason === null || kind === 'sale' ? KINDS[kind] : `${KINDS[kind]}: ${reason}`

/** The amount after refunds. */
export const netCents = ({ amountCents, reversedCents }: PortalEarning) => amountCents - reversedCents

type Partnership = Pick<PortalProgram, 'status' | 'programName'> & { needsPayoutDetails?: boolean }

const NEEDS_DETAILS = 'add payout details to be paid'

/** Why the program does not pay a payable balance; null if it does. */
export const notPaidText = ({ status, programName, needsPayoutDetails }: Partnership) => {
  if (status === 'approved') return needsPayoutDetails ? NEEDS_DETAILS : null
  if (status === 'pending') return `not paid until ${programName} approves you`
  return status === 'suspended' ? 'not paid while you are suspended' : 'not paid while you are rejected'
}

type State = ReturnType<typeof displayState>

const STATE_TEXT: Record<Exclude<State, 'awaiting_approval' | 'on_hold'>, (earning: PortalEarning) => string> = {
  held: ({ payableAt, kind }) =>
    `Held until ${formatDate(payableAt)}${kind === 'sale' ? ', in case of a refund' : ''}.`,
  in_dispute: (earning) => disputeText(earning) + remainderText(earning),
  payable: () => 'Will be included in the next payout.',
  on_its_way: () => 'In a payout that the program has not sent yet.',
  paid: (earning) => paidText(earning) + (earning.disputedCents > 0 ? ` ${disputeText(earning)}` : ''),
  reversed: () => 'Reversed.',
  voided: () => 'Voided.',
  review: () => 'The program is reviewing this commission.',
}

/** After a reversal, the paid amount can exceed what remains until a later payout deducts it. */
const paidText = (earning: PortalEarning) => {
  const { paidCents, reversedCents, currency } = earning
  if (reversedCents <= 0) return 'Paid to you.'
  const owedCents = paidCents - netCents(earning)
  const deducted = owedCents > 0 ? `; ${formatMoney(owedCents, currency)} will be deducted from your next payout` : ''
  return `You were paid ${formatMoney(paidCents, currency)}${deducted}.`
}

const isFullyDisputed = (earning: PortalEarning) => earning.disputedCents === netCents(earning)

const disputeText = (earning: PortalEarning) =>
  isFullyDisputed(earning)
    ? 'The sale is in dispute.'
    : `${formatMoney(earning.disputedCents, earning.currency)} is in dispute.`

/** For partly disputed commissions. */
const remainderText = (earning: PortalEarning) => {
  if (netCents(earning) - earning.disputedCents - earning.paidCents <= 0) return ''
  if (earning.inPayout) return ' The rest is in a payout that the program has not sent yet.'
  const isHeld = new Date(earning.payableAt) > new Date()
  return ` The rest ${isHeld ? `is held until ${formatDate(earning.payableAt)}` : 'will be included in the next payout'}.`
}

/** What happens next and why amounts were reversed. Never names the customer. */
export const describeEarning = (earning: PortalEarning, partnership: Partnership) => {
  const { reversedCents, paidCents, currency, state, because } = earning
  const isPaidInPart = paidCents > 0 && (state === 'payable' || state === 'held')
  const paidPart = isPaidInPart
    ? [`${formatMoney(paidCents, currency)} was already paid to you. The rest follows.`]
    : []
  const reversedPart =
    reversedCents > 0 && state !== 'reversed' ? [`${formatMoney(reversedCents, currency)} was reversed.`] : []
  const shown = displayState(earning)
  // The first reason says that the partner's status holds it back.
  if (shown === 'awaiting_approval' || shown === 'on_hold')
    return [...paidPart, ...because.slice(0, 1), ...reversedPart, ...because.slice(1)]
  const notPaid = shown === 'payable' ? notPaidText(partnership) : null
  const next = notPaid ? `${capitalize(notPaid)}.` : STATE_TEXT[shown](earning)
  return [...paidPart, next, ...reversedPart, ...because]
}
