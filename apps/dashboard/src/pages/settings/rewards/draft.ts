import type { RewardAnswer } from '@tributary/contract'
import type { RewardForm } from '~/api/money/rewards.ts'
import { parseCents, toAmountText } from '~/components/controls/money-input.tsx'
import { type RuleDraft, toRuleDraft, toRuleRequest } from './rules/rule-draft.ts'

/** Terms while being edited. Text, so a field may be empty for a moment. */
export type Draft = {
  leadOn: boolean
  lead: string
  saleKind: 'none' | 'percent' | 'flat'
  percent: string
  flat: string
  duration: 'first' | 'months' | 'lifetime'
  months: string
  /** Replace the four fields above; empty if these say the same. */
  rules: RuleDraft[]
  holdDays: string
  minimum: string
}

export const toDraft = ({ lead, sale, holdDays, minimumPayoutCents, currency }: RewardAnswer): Draft => ({
  leadOn: lead !== null,
  lead: lead ? toAmountText(lead.amountCents, currency) : '',
  saleKind: !sale ? 'none' : sale.amountCents === undefined ? 'percent' : 'flat',
  percent: sale?.percentBps === undefined ? '20' : String(sale.percentBps / 100),
  flat: sale?.amountCents === undefined ? '' : toAmountText(sale.amountCents, currency),
  duration: sale?.duration ?? 'lifetime',
  months: String(sale?.months ?? 12),
  rules: sale && sale.duration === undefined ? sale.rules.map((rule, key) => toRuleDraft(rule, { key, currency })) : [],
  holdDays: String(holdDays),
  minimum: toAmountText(minimumPayoutCents, currency),
})

/** The API request. Sends invalid values as they are; the service rejects them. */
export const toRequest = (draft: Draft, currency: string): RewardForm => ({
  lead: draft.leadOn ? { amountCents: parseCents(draft.lead, currency) ?? 0 } : null,
  sale: toSaleRequest(draft, currency),
  holdDays: Number(draft.holdDays),
  minimumPayoutCents: parseCents(draft.minimum, currency) ?? 0,
})

const toSaleRequest = (draft: Draft, currency: string): RewardForm['sale'] => {
  if (draft.saleKind === 'none') return null
  if (draft.rules.length > 0) return { rules: draft.rules.map((rule) => toRuleRequest(rule, currency)) }
  return {
    ...(draft.saleKind === 'percent'
      ? { percentBps: Math.round(Number(draft.percent) * 100) }
      : { amountCents: parseCents(draft.flat, currency) ?? 0 }),
    duration: draft.duration,
    ...(draft.duration === 'months' && { months: Number(draft.months) }),
  }
}

/** False while a field is still empty, so that nothing can be previewed. */
export const isComplete = ({ lead, sale }: RewardForm) =>
  (!lead || lead.amountCents > 0) && (!sale || (sale.rules ?? [{ pays: [sale] }]).every(isRuleComplete))

type SentRule = {
  when?: object | undefined
  pays: { percentBps?: number | undefined; amountCents?: number | undefined; months?: number | undefined }[]
}

const isRuleComplete = ({ when = {}, pays }: SentRule) =>
  pays.every(({ percentBps, amountCents }) => (percentBps ?? amountCents ?? 0) > 0) &&
  pays.slice(0, -1).every(({ months }) => months) &&
  Object.values(when).every((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
