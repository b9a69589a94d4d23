import { type RewardRequest, type RewardRule, rulesOfSimple, simpleOfRules } from '@tributary/contract'
import type { Terms } from './rewards.ts'

type SaleTerms = Required<Omit<Terms, 'version' | 'currency' | 'leadAmountCents' | 'holdDays'>>

const NO_SALE: SaleTerms = {
  salePercentBps: null,
  saleAmountCents: null,
  saleDuration: null,
  saleMonths: null,
  saleRules: null,
}

/** One rule without conditions is stored as one percentage or amount, as it always was. */
const saleTerms = (sale: RewardRequest['sale']): SaleTerms => {
  if (!sale) return NO_SALE
  const { rules, ...fields } = sale
  const simple = fields.duration === undefined ? simpleOfRules(rules ?? []) : fields
  if (!simple) return { ...NO_SALE, saleRules: (rules ?? []).map(withoutEmpty) }
  return {
    ...NO_SALE,
    salePercentBps: simple.percentBps ?? null,
    saleAmountCents: simple.amountCents ?? null,
    saleDuration: simple.duration ?? null,
    saleMonths: simple.months ?? null,
  }
}

/** No conditions and an empty list of them are the same. */
const withoutEmpty = ({ when, ...rule }: RewardRule): RewardRule =>
  when && Object.keys(when).length > 0 ? { when, ...rule } : rule

/** Converts requested terms to the form that the reward rules use, without version and currency. */
export const requestedTerms = ({ lead, sale, holdDays }: Pick<RewardRequest, 'lead' | 'sale' | 'holdDays'>) => ({
  leadAmountCents: lead?.amountCents ?? null,
  ...saleTerms(sale),
  holdDays,
})

/** Unsaved terms have no version yet. */
const UNSAVED = 0

export const proposedTerms = (request: RewardRequest, currency: string): Terms => ({
  version: UNSAVED,
  currency,
  ...requestedTerms(request),
})

/** The rules that terms consist of; empty if they pay nothing for sales. */
export const rulesOfTerms = ({
  salePercentBps,
  saleAmountCents,
  saleDuration,
  saleMonths,
  saleRules,
}: Pick<Terms, keyof SaleTerms>): RewardRule[] => {
  if (saleRules) return saleRules
  if (saleDuration === null) return []
  return rulesOfSimple({
    ...(salePercentBps === null ? { amountCents: saleAmountCents ?? undefined } : { percentBps: salePercentBps }),
    duration: saleDuration,
    months: saleMonths ?? undefined,
  })
}

/** What a commission depends on besides its own sale: which sale of the customer was first, or what the others have earned. */
export const looksAt = ({ saleDuration, saleRules }: Pick<Terms, 'saleDuration' | 'saleRules'>) => {
  if (saleRules?.some(({ maxPerCustomerCents }) => maxPerCustomerCents !== undefined)) return 'all_sales'
  const isStaged = saleRules?.some(
    ({ when, pays }) => when?.payment !== undefined || pays.some(({ months }) => months !== undefined),
  )
  return isStaged || saleDuration === 'first' || saleDuration === 'months' ? 'first_sale' : null
}
