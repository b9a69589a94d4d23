import type { RewardAnswer } from '@tributary/contract'
import type { RewardForm } from '~/api/money/rewards.ts'
import { parseCents, toAmountText } from '~/components/controls/money-input.tsx'

/** Terms while being edited. Text, so a field may be empty for a moment. */
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

export const toDraft = ({ lead, sale, holdDays, minimumPayoutCents, currency }: RewardAnswer): Draft => ({
  leadOn: lead !== null,
  lead: lead ? toAmountText(lead.amountCents, currency) : '',
  saleKind: !sale ? 'none' : sale.percentBps === undefined ? 'flat' : 'percent',
  percent: sale?.percentBps === undefined ? '20' : String(sale.percentBps / 100),
  flat: sale?.amountCents === undefined ? '' : toAmountText(sale.amountCents, currency),
  duration: sale?.duration ?? 'lifetime',
  months: String(sale?.months ?? 12),
  holdDays: String(holdDays),
  minimum: toAmountText(minimumPayoutCents, currency),
})

/** The API request. Sends invalid values as they are; the service rejects them. */
export const toRequest = (draft: Draft, currency: string): RewardForm => ({
  lead: draft.leadOn ? { amountCents: parseCents(draft.lead, currency) ?? 0 } : null,
  sale:
    draft.saleKind === 'none'
      ? null
      : {
          ...(draft.saleKind === 'percent'
            ? { percentBps: Math.round(Number(draft.percent) * 100) }
            : { amountCents: parseCents(draft.flat, currency) ?? 0 }),
          duration: draft.duration,
          ...(draft.duration === 'months' && { months: Number(draft.months) }),
        },
  holdDays: Number(draft.holdDays),
  minimumPayoutCents: parseCents(draft.minimum, currency) ?? 0,
})
