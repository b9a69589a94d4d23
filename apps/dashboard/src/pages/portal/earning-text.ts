import type { PortalEarning, Step } from '@tributary/contract'
import type { PortalProgram } from '~/api/portal.ts'
import { formatDate, formatMoney, formatTime } from '~/components/format/format.ts'
import { capitalize } from '~/components/format/labels.ts'
import { displayState } from '~/components/format/money-state.ts'
import { partsText } from '../explain/parts-text.ts'

const KINDS = { sale: 'Sale', lead: 'Lead', bonus: 'Bonus', manual: 'Commission' } as const

/** The lead or sale that earned it, or the program's reason for an amount added manually. A moved sale is still the sale. */
export const earnedFor = ({ kind, reason }: Pick<PortalEarning, 'kind' | 'reason'>) =>
  reason === null || kind === 'sale' ? KINDS[kind] : `${KINDS[kind]}: ${reason}`

/** The amount after refunds. */
export const netCents = ({ amountCents, reversedCents }: PortalEarning) => amountCents - reversedCents
export const netOf = (earning: PortalEarning) => ({ currency: earning.currency, amountCents: netCents(earning) })

type Partnership = Pick<PortalProgram, 'status' | 'programName'> & {
  needsPayoutDetails?: boolean
  pausedUntil?: string | null
  reward?: Pick<PortalProgram['reward'], 'minimumPayoutCents' | 'currency'>
}

const NEEDS_DETAILS = 'add payout details to be paid'

/** Why the program does not pay a payable balance; null if it does. */
export const notPaidText = ({ status, programName, needsPayoutDetails, pausedUntil }: Partnership) => {
  if (status === 'approved' && needsPayoutDetails) return NEEDS_DETAILS
  if (status === 'approved') return pausedUntil ? `payouts to you are paused until ${formatTime(pausedUntil)}` : null
  if (status === 'pending') return `not paid until ${programName} approves you`
  return status === 'suspended' ? 'not paid while you are suspended' : 'not paid while you are rejected'
}

type State = ReturnType<typeof displayState>

const STATE_TEXT: Record<Exclude<State, 'awaiting_approval' | 'on_hold'>, (earning: PortalEarning) => string> = {
  held: ({ payableAt }) => `Held until ${formatDate(payableAt)}.`,
  in_dispute: (earning) => disputeText(earning) + remainderText(earning),
  payable: () => 'Payable.',
  on_its_way: () => 'In a payout that the program has not sent yet.',
  paid: (earning) => paidText(earning) + (earning.disputedCents > 0 ? ` ${disputeText(earning)}` : ''),
  reversed: () => 'Reversed.',
  voided: () => 'Voided.',
  review: () => 'The program is reviewing this commission.',
}

/** Payouts leave out balances below the minimum; what else the balance has is not known here. */
const payableText = ({ currency }: PortalEarning, { reward }: Partnership) =>
  reward && reward.minimumPayoutCents > 0 && reward.currency === currency
    ? `Included in the next payout if your balance is at least ${formatMoney(reward.minimumPayoutCents, currency)}.`
    : 'Included in the next payout.'

/** After a reversal, the paid amount can exceed what remains until a later payout deducts it. */
const paidText = (earning: PortalEarning) => {
  const { paidCents, reversedCents, currency } = earning
  if (reversedCents <= 0) return 'Paid to you.'
  const owedCents = paidCents - netCents(earning)
  const deducted = owedCents > 0 ? `; ${formatMoney(owedCents, currency)} will be deducted from your next payout` : ''
  const of = owedCents > 0 ? '' : ` of ${formatMoney(earning.amountCents, currency)}`
  return `You were paid ${formatMoney(paidCents, currency)}${of}${deducted}.`
}

/** For commissions reversed in part: the others say so already. */
const reversedText = (earning: PortalEarning) => {
  const { reversedCents, paidCents, currency, state } = earning
  if (reversedCents <= 0 || state === 'reversed') return []
  const isRest = state === 'paid' && paidCents === netCents(earning)
  return [`${isRest ? 'The other ' : ''}${formatMoney(reversedCents, currency)} was reversed.`]
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
  return ` The rest ${isHeld ? `is held until ${formatDate(earning.payableAt)}` : 'is payable'}.`
}

/** What happens next and why amounts were reversed. Never names the customer. */
export const describeEarning = (earning: PortalEarning, partnership: Partnership) => {
  const { paidCents, currency, state, reasons } = earning
  const isPaidInPart = paidCents > 0 && (state === 'payable' || state === 'held')
  const paidPart = isPaidInPart
    ? [`${formatMoney(paidCents, currency)} was already paid to you. The rest follows.`]
    : []
  const isStatus = ({ code }: Step) => code === 'partner_not_approved'
  const others = reasons.filter((reason) => !isStatus(reason))
  return [
    ...paidPart,
    ...nextText(earning, partnership, reasons.filter(isStatus)),
    ...reversedText(earning),
    ...others.map(partsText),
  ]
}

const nextText = (earning: PortalEarning, partnership: Partnership, status: Step[]) => {
  const shown = displayState(earning)
  if (shown === 'awaiting_approval' || shown === 'on_hold') return status.map(partsText)
  const notPaid = shown === 'payable' ? notPaidText(partnership) : null
  if (notPaid) return [`${capitalize(notPaid)}.`]
  return [
    shown === 'payable' ? payableText(earning, partnership) : STATE_TEXT[shown](earning),
    ...status.map(partsText),
  ]
}
