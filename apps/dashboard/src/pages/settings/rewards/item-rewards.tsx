import type { ItemReward, RuleReward } from '@tributary/contract'
import { formatMoney, formatRate } from '~/components/format/format.ts'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { UNMATCHED_TEXT, UNPAID_TEXT } from './item-reward-text.ts'

type Props = {
  items: ItemReward[]
  rules: RuleReward[]
  /** Of the sale. */
  currency: string
  commission: { amountCents: number; currency: string } | null
  /** What each rule says, if known. */
  ruleTexts?: string[]
}

/** What each item of a sale earned and by which rule, why earlier rules did not match, and what the maximums cut. */
export const ItemRewards = ({ items, rules, currency, commission, ruleTexts = [] }: Props) => (
  <div className="flex flex-col gap-3 text-sm">
    <ul aria-label="Items" className="divide-y divide-line">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items never reorder
        <li key={index} className="py-2.5 first:pt-0">
          <Item
            item={item}
            isOnly={items.length === 1}
            currency={currency}
            ruleTexts={ruleTexts}
            commission={commission}
          />
        </li>
      ))}
    </ul>
    {rules.map((rule) => (
      <CutNote key={rule.rule} rule={rule} currency={commission?.currency ?? currency} />
    ))}
    <p className="flex justify-between gap-3 border-line border-t pt-2.5 font-medium">
      <span>Commission</span>
      <span className="tabular-nums">
        {commission ? formatMoney(commission.amountCents, commission.currency) : 'Nothing'}
      </span>
    </p>
  </div>
)

type ItemProps = { item: ItemReward; isOnly: boolean } & Pick<Props, 'currency' | 'commission'> & {
    ruleTexts: string[]
  }

const Item = ({ item, isOnly, currency, commission, ruleTexts }: ItemProps) => {
  const { skipped, amountCents } = item
  return (
    <>
      <p className="flex justify-between gap-3">
        <span className="wrap-anywhere min-w-0 font-medium">{itemName(item, isOnly)}</span>
        <span className="text-soft tabular-nums">{formatMoney(amountCents, currency)}</span>
      </p>
      <p className="flex justify-between gap-3">
        <span className="wrap-anywhere min-w-0 text-soft">{decisionText(item, ruleTexts)}</span>
        <span className="whitespace-nowrap tabular-nums">{earnedText(item, currency, commission)}</span>
      </p>
      {skipped.length > 0 && (
        <ul className="mt-0.5 text-faint text-xs">
          {skipped.map((one) => (
            <li key={one.rule}>{`Rule ${one.rule} doesn’t match: ${UNMATCHED_TEXT[one.reason]}.`}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** "Rule 2, Yearly plans: 10%." */
const decisionText = ({ rule, reason }: ItemReward, ruleTexts: string[]) => {
  if (rule === null) return UNPAID_TEXT.no_rule_matches
  const text = ruleTexts[rule - 1]
  // The text says so.
  const why = reason && !(text && reason === 'rule_pays_nothing') ? ` ${UNPAID_TEXT[reason]}` : ''
  return `Rule ${rule}${text ? `, ${text}` : ''}.${why}`
}

const itemName = ({ productId, planId }: ItemReward, isOnly: boolean) => {
  if (productId === null) return isOnly ? 'Whole sale' : 'Rest of the sale'
  return planId === null ? productId : `${productId} (${planId})`
}

/** "10% = $5.00", before the maximums. The sum is rounded once, so the items of a sale may differ from it by a cent. */
const earnedText = (item: ItemReward, currency: string, commission: Props['commission']) => {
  const { reason, percentBps, flatCents, amountCents } = item
  if (reason !== null) return 'Nothing'
  if (percentBps === null) return formatMoney(flatCents ?? 0, commission?.currency ?? currency)
  return `${formatRate(percentBps / 10_000)} = ${formatMoney(Math.round((amountCents * percentBps) / 10_000), currency)}`
}

const CutNote = ({
  rule: { rule, earnedCents, paidCents, cutBy },
  currency,
}: {
  rule: RuleReward
  currency: string
}) => {
  if (cutBy === null) return null
  const [earned, paid] = [earnedCents, paidCents].map((cents) => formatMoney(cents, currency))
  return (
    <p className="text-soft">{`Rule ${rule} pays ${paid} instead of ${earned}: its maximum per ${cutBy} is reached.`}</p>
  )
}

export const PreviewSkeleton = () => (
  <Loading>
    <Skeleton className="h-24 w-full" />
  </Loading>
)
