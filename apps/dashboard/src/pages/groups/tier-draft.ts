import type { Group, TierPeriod, TierRule } from '@tributary/contract'
import { parseCents, toAmountText } from '~/components/controls/money-input.tsx'

/** A tier rule while being edited. */
export type TierDraft = {
  isOn: boolean
  kind: 'sales' | 'amount'
  sales: string
  amount: string
  currency: string
  within: TierPeriod
  moveTo: string
}

type Context = { targets: Group[]; program: { currency: string } }

export const toTierDraft = (rule: TierRule | null, { targets, program }: Context): TierDraft => {
  const after = rule?.after
  const isAmount = after !== undefined && 'amountCents' in after
  const currency = isAmount ? after.currency : program.currency
  return {
    isOn: rule !== null,
    kind: isAmount ? 'amount' : 'sales',
    sales: after && 'sales' in after ? String(after.sales) : '10',
    amount: isAmount ? toAmountText(after.amountCents, currency) : '',
    currency,
    within: rule?.within ?? 'month',
    moveTo: String(rule?.moveTo ?? targets.find(({ isDefault }) => !isDefault)?.id ?? targets[0]?.id ?? ''),
  }
}

export const toTierRule = ({ isOn, kind, sales, amount, currency, within, moveTo }: TierDraft): TierRule | null => {
  if (!isOn) return null
  const after =
    kind === 'sales' ? { sales: Number(sales) } : { amountCents: parseCents(amount, currency) ?? 0, currency }
  return { after, within, moveTo: Number(moveTo) }
}
