import type { RewardAnswer, RewardRule, RewardStage, RuleConditions } from '@tributary/contract'
import { formatCount, formatCountry, formatMoney, formatRate } from './format.ts'
import { capitalize } from './labels.ts'

/** Terms from before there were rules, in the audit log, have none. */
type SaleTerms = Omit<NonNullable<RewardAnswer['sale']>, 'rules'> & { rules?: RewardRule[] | undefined }
export type RewardTerms = Pick<RewardAnswer, 'lead' | 'currency'> & { sale: SaleTerms | null }

/** "20% of every sale, plus $2.00 per lead", or one sentence after another if sales have several rules. */
export const describeReward = (terms: RewardTerms) => {
  const sales = saleSentences(terms)
  return rewardSentences(terms).join(sales.length > 1 ? '. ' : ', plus ') || 'No reward'
}

/** One sentence for each rule about sales, and one for leads. The same for merchants and partners. */
export const rewardSentences = (terms: RewardTerms) => [
  ...saleSentences(terms),
  ...(terms.lead ? [`${formatMoney(terms.lead.amountCents, terms.currency)} per lead`] : []),
]

const saleSentences = ({ sale, currency }: RewardTerms): string[] => {
  if (!sale) return []
  if (sale.duration !== undefined) return [simpleSentence(sale, currency)]
  return ruleSentences(sale.rules ?? [], currency)
}

const simpleSentence = ({ percentBps, amountCents, duration, months }: SaleTerms, currency: string) => {
  const rate = rateOf({ percentBps, amountCents }, currency)
  if (duration === 'first') return `${rate} each customer’s first sale`
  if (duration === 'lifetime') return `${rate} every sale`
  return `${rate} every sale within ${formatCount(months ?? 1, 'month')} of a customer’s first sale`
}

/** "Yearly plans: 10%", "prod_addon: nothing", "Everything else: 30% for 12 months, then 10%" */
export const ruleSentences = (rules: RewardRule[], currency: string) =>
  rules.map((rule, index) => {
    if (rules.length === 1 && isForEverything(rule)) return onlySentence(rule, currency)
    return `${describeMatch(rule, currency, index)}: ${describePay(rule, currency)}`
  })

export const isForEverything = ({ when }: Pick<RewardRule, 'when'>) => Object.keys(when ?? {}).length === 0

/** "30% of every sale for 12 months, then 10%" */
const onlySentence = (rule: RewardRule, currency: string) => {
  const [first, ...later] = rule.pays
  if (!first) return describePay(rule, currency)
  const stages = [
    `${rateOf(first, currency)} every sale${lengthOf(first)}`,
    ...later.map((stage) => describeStage(stage, currency)),
  ]
  return stages.join(', then ') + describeMaximums(rule, currency)
}

const describePay = (rule: RewardRule, currency: string) =>
  rule.pays.length === 0
    ? 'nothing'
    : rule.pays.map((stage) => describeStage(stage, currency)).join(', then ') + describeMaximums(rule, currency)

const describeStage = (stage: RewardStage, currency: string) =>
  `${stage.percentBps === undefined ? `${formatMoney(stage.amountCents ?? 0, currency)} per sale` : formatRate(stage.percentBps / 10_000)}${lengthOf(stage)}`

const rateOf = ({ percentBps, amountCents }: RewardStage, currency: string) =>
  percentBps === undefined ? `${formatMoney(amountCents ?? 0, currency)} for` : `${formatRate(percentBps / 10_000)} of`

const lengthOf = ({ months }: RewardStage) => (months === undefined ? '' : ` for ${formatCount(months, 'month')}`)

const describeMaximums = ({ maxPerSaleCents, maxPerCustomerCents }: RewardRule, currency: string) => {
  const maximums = [
    ...(maxPerSaleCents === undefined ? [] : [`${formatMoney(maxPerSaleCents, currency)} per sale`]),
    ...(maxPerCustomerCents === undefined ? [] : [`${formatMoney(maxPerCustomerCents, currency)} per customer`]),
  ]
  return maximums.length === 0 ? '' : `, at most ${maximums.join(' and ')}`
}

const INTERVALS = { one_time: 'one-time purchases', month: 'monthly plans', year: 'yearly plans' }
const PAYMENTS = { first: 'first payments', renewal: 'renewals' }

const list = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** What a rule is about: "Yearly plans, customers from Germany or France". */
const describeMatch = ({ when = {} }: RewardRule, currency: string, index: number) => {
  const words = describeConditions(when, currency)
  if (words.length === 0) return index === 0 ? 'Every sale' : 'Everything else'
  // An ID keeps its case.
  return when.products ? words.join(', ') : capitalize(words.join(', '))
}

const describeConditions = (when: RuleConditions, currency: string) => {
  const { products, plans, interval, payment, currencies, countries, minAmountCents } = when
  return [
    products && list.format(products),
    plans && `${plans.length === 1 ? 'plan' : 'plans'} ${list.format(plans)}`,
    interval && INTERVALS[interval],
    payment && PAYMENTS[payment],
    currencies && `sales in ${list.format(currencies)}`,
    countries && `customers from ${list.format(countries.map(formatCountry))}`,
    minAmountCents !== undefined &&
      `sales of at least ${formatMoney(minAmountCents, amountCurrency(currencies, currency))}`,
  ].filter((words) => words !== undefined && words !== false)
}

/** The minimum amount of a rule is in the currency of the sale. */
export const amountCurrency = (currencies: string[] | undefined, programCurrency: string) =>
  (currencies?.length === 1 && currencies[0]) || programCurrency
