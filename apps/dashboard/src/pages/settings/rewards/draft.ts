import type { RewardAnswer } from '@tributary/contract'
import type { RewardForm } from '~/api/money/rewards.ts'
import { centsOf, textOfCents } from '~/components/controls/money-input.tsx'

/** Terms while somebody writes them: as text, so that a field may be empty for a moment. */
export type Draft = {
  leadOn: boolean
  lead: string
  saleKind: 'none' | 'percent' | 'flat'
  percent: string
  flat: string
  duration: 'first' | 'months' | 'lifetime'
  months: string
  holdDays: string
  minimum: string
}

export const draftOf = ({ lead, sale, holdDays, minimumPayoutCents, currency }: RewardAnswer): Draft => ({
  leadOn: lead !== null,
  lead: lead ? textOfCents(lead.amountCents, currency) : '',
  saleKind: !sale ? 'none' : sale.percentBps === undefined ? 'flat' : 'percent',
  percent: sale?.percentBps === undefined ? '20' : String(sale.percentBps / 100),
  flat: sale?.amountCents === undefined ? '' : textOfCents(sale.amountCents, currency),
  duration: sale?.duration ?? 'lifetime',
  months: String(sale?.months ?? 12),
  holdDays: String(holdDays),
  minimum: textOfCents(minimumPayoutCents, currency),
})

/** As the service wants it. What is missing is sent as what it is, and the service says what it thinks of that. */
export const requestOf = (draft: Draft, currency: string): RewardForm => ({
  lead: draft.leadOn ? { amountCents: centsOf(draft.lead, currency) ?? 0 } : null,
  sale:
    draft.saleKind === 'none'
      ? null
      : {
          ...(draft.saleKind === 'percent'
            ? { percentBps: Math.round(Number(draft.percent) * 100) }
            : { amountCents: centsOf(draft.flat, currency) ?? 0 }),
          duration: draft.duration,
          ...(draft.duration === 'months' && { months: Number(draft.months) }),
        },
  holdDays: Number(draft.holdDays),
  minimumPayoutCents: centsOf(draft.minimum, currency) ?? 0,
})
