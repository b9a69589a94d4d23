import { type Part, type PartnerStatus, type Step, say } from '@tributary/contract'
import type { CommissionRow } from '../money/commissions/commission-states.ts'
import { toStep } from './parts.ts'
import type { Words } from './words.ts'

/** Where the money of a commission is now. */
export const describeState = (commission: CommissionRow, words: Words): Step => {
  const { state, paidCents, amountCents, reversedCents, currency } = commission
  if (state === 'held' || state === 'payable') {
    const { code, parts } = describeUnpaid(commission, words)
    const paid = paidCents > 0 ? say`${words.money(paidCents, currency)} has been paid. ` : ''
    return toStep('fact', code, say`${paid}${parts}`)
  }
  const left = words.money(amountCents - reversedCents, currency)
  if (state === 'reversed') return toStep('fact', 'commission_reversed', 'The commission has been reversed in full.')
  if (state === 'review') return toStep('fact', 'commission_in_review', say`${left} is waiting for review.`)
  return toStep('fact', 'commission_paid', say`${left} has been paid.`)
}

type Unpaid = { code: Step['code']; parts: Part[] }

const describeUnpaid = (commission: CommissionRow, words: Words): Unpaid => {
  const { state, inPayout, currency, payableAt, heldForApproval, partnerStatus } = commission
  const left = words.money(commission.amountCents - commission.reversedCents - commission.paidCents, currency)
  if (commission.disputedCents > 0) return { code: 'commission_disputed', parts: describeDispute(commission, words) }
  if (heldForApproval)
    return { code: 'partner_not_approved', parts: say`${left} is ${onHold(partnerStatus, words.isPartner)}.` }
  if (state === 'held') return { code: 'commission_held', parts: say`${left} is held until ${words.when(payableAt)}.` }
  return inPayout
    ? { code: 'commission_in_payout', parts: say`${left} ${IN_OPEN_PAYOUT}` }
    : { code: 'commission_payable', parts: say`${left} is payable now.` }
}

const IN_OPEN_PAYOUT = 'is reserved in an open payout and has not been sent yet.'

/** A disputed amount waits for the decision; the undisputed rest is paid as usual. */
const describeDispute = (commission: CommissionRow, words: Words): Part[] => {
  const { inPayout, amountCents, reversedCents, paidCents, disputedCents, currency } = commission
  const disputed = say`${words.money(disputedCents, currency)} is not payable until the dispute is decided.`
  const restCents = amountCents - reversedCents - disputedCents - paidCents
  if (restCents <= 0) return disputed
  return say`${disputed} The other ${words.money(restCents, currency)} ${inPayout ? IN_OPEN_PAYOUT : 'is not disputed.'}`
}

/** Why nothing is paid to a partner who is not approved. */
export const onHold = (status: PartnerStatus, isPartner: boolean) => {
  if (status === 'pending')
    return `not payable until ${isPartner ? 'the program approves you' : 'the partner is approved'}`
  return `held while ${isPartner ? 'you are' : 'the partner is'} ${status}`
}
