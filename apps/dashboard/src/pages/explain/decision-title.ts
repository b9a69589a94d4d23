import type { Explanation } from '@tributary/contract'
import { codeLabel } from '~/components/format/labels.ts'

type Entry = Explanation['timeline'][number]

/** By the subject of the decision and its outcome. */
const TITLES: Record<Entry['event'], Record<string, string>> = {
  lead: { settled: 'Lead credited', provisional: 'Lead provisional' },
  sale: { credited: 'Sale credited', uncredited: 'Sale not credited' },
  commission: {
    earned: 'Commission earned',
    review: 'Commission sent to review',
    nothing: 'No commission earned',
    raised: 'Commission increased',
    lowered: 'Commission reduced',
    unchanged: 'Commission unchanged',
  },
  refund: { reversed: 'Commission reduced: refund', unchanged: 'Commission unchanged: refund' },
  dispute: {
    held: 'Commission held: dispute',
    reinstated: 'Commission restored: dispute won',
    reversed: 'Commission reversed: dispute lost',
    unchanged: 'Commission unchanged: dispute',
  },
  review: { confirmed: 'Lead confirmed', released: 'Commission approved', reversed: 'Commission rejected' },
  adjustment: {
    credited: 'Sale credited manually',
    moved: 'Sale moved',
    undone: 'Adjustment undone',
    refused: 'Adjustment rejected',
  },
  payout: { paid: 'Commission paid' },
  payment: {
    applied: 'Payment event applied',
    waiting: 'Payment event waiting',
    ignored: 'Payment event ignored',
    refused: 'Payment event rejected',
  },
}

/** Where the reason says more than the outcome. */
const TITLES_BY_REASON: Record<string, string> = {
  refund_reversed_all: 'Commission reversed: refund',
  customer_confirmed: 'Commission approved: lead confirmed',
  commission_voided: 'Commission voided',
  void_undone: 'Commission restored',
}

/** What a decision did, as a merchant would write it. */
export const decisionTitle = ({ event, outcome, reason }: Pick<Entry, 'event' | 'outcome' | 'reason'>) =>
  (event === 'review' && outcome === 'confirmed' ? undefined : TITLES_BY_REASON[reason ?? '']) ??
  TITLES[event][outcome] ??
  `${codeLabel(event)}: ${codeLabel(outcome).toLowerCase()}`
