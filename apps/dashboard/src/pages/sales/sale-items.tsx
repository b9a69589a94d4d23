import type { Explanation, RewardRule, SaleDetail, Step } from '@tributary/contract'
import type { ReactNode } from 'react'
import type { RewardForm } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { ruleSentences } from '~/components/format/reward-sentences.ts'
import { QueryView } from '~/components/states.tsx'
import { Parts } from '../explain/parts.tsx'
import { ItemRewards, PreviewSkeleton } from '../settings/rewards/item-rewards.tsx'
import { type SalePreview, useSalePreview } from '../settings/rewards/use-sale-preview.ts'

type Props = { sale: SaleDetail; explanation: Explanation }

/** A sentence of the service about an item of the sale and its rule. This card shows them, or the same as a list of items. */
export const isAboutRules = ({ kind, code }: Step) => kind === 'fact' && code.startsWith('rule_')

/** What was sold, and what each item earned by which rule of the terms at the time. */
export const SaleItems = ({ sale, explanation }: Props) => {
  const { may } = useProgram()
  const terms = termsOf(explanation)
  if (terms && may('commission:read'))
    return <Items key={sale.id} sale={sale} terms={terms} explanation={explanation} />
  return <Sentences explanation={explanation} />
}

type ItemsProps = Props & { terms: NonNullable<RewardForm['sale']> }

const Items = ({ sale, terms, explanation }: ItemsProps) => {
  const { program } = useProgram()
  const preview = useSalePreview({ sale: terms }, sale.id)
  // A moved or corrected sale was decided on other facts than it has now.
  if (preview.data && !isAsBooked(preview.data, sale)) return <Sentences explanation={explanation} />
  return (
    <ItemsCard>
      <QueryView query={preview} loading={<PreviewSkeleton />}>
        {({ items, rules, currency, commission }) => (
          <ItemRewards
            items={items}
            rules={rules}
            currency={currency}
            commission={commission}
            ruleTexts={terms.rules && ruleSentences(terms.rules, program.currency)}
          />
        )}
      </QueryView>
    </ItemsCard>
  )
}

const Sentences = ({ explanation }: { explanation: Explanation }) => {
  const steps = explanation.steps.filter(isAboutRules)
  if (steps.length === 0) return null
  return (
    <ItemsCard>
      <ul className="flex flex-col gap-1.5 text-soft text-sm">
        {steps.map(({ parts }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several items have the same code, and they never reorder
          <li key={index} className="wrap-anywhere text-pretty">
            <Parts parts={parts} />
          </li>
        ))}
      </ul>
    </ItemsCard>
  )
}

const ItemsCard = ({ children }: { children: ReactNode }) => (
  <Card>
    <CardHeader title="Items" description="What each item earned, before refunds." />
    <div className="p-5">{children}</div>
  </Card>
)

const isAsBooked = ({ commission }: SalePreview, sale: SaleDetail) =>
  (commission?.amountCents ?? null) === sale.commissionCents

/** The facts of a commission decision, as far as they are about sales. */
type StoredTerms = {
  salePercentBps: number | null
  saleAmountCents: number | null
  saleDuration: 'first' | 'months' | 'lifetime' | null
  saleMonths: number | null
  saleRules?: RewardRule[] | null
}

/** The terms that decided the commission; null if none did, or if the sale has neither items nor rules to show. */
const termsOf = ({ timeline }: Explanation): NonNullable<RewardForm['sale']> | null => {
  const { decidedOn } = timeline.findLast(({ event, decidedOn }) => event === 'commission' && decidedOn?.terms) ?? {}
  const { terms, event: sold } = (decidedOn ?? {}) as { terms?: StoredTerms; event?: { items?: unknown } }
  if (!terms) return null
  const { saleRules, saleDuration, salePercentBps, saleAmountCents, saleMonths } = terms
  if (saleRules) return { rules: saleRules }
  if (saleDuration === null || !sold?.items) return null
  return {
    ...(salePercentBps === null ? { amountCents: saleAmountCents ?? 0 } : { percentBps: salePercentBps }),
    duration: saleDuration,
    ...(saleMonths !== null && { months: saleMonths }),
  }
}
