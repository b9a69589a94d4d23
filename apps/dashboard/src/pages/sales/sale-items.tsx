import type { Explanation, RewardRule, SaleDetail } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import type { RewardForm } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { ruleSentences } from '~/components/format/reward-sentences.ts'
import { QueryView } from '~/components/states.tsx'
import { ItemRewards, PreviewSkeleton } from '../settings/rewards/item-rewards.tsx'
import { type SalePreview, useSalePreview } from '../settings/rewards/use-sale-preview.ts'

/** What was sold, and what each item earned by which rule of the terms at the time. */
export const SaleItems = ({ sale }: { sale: SaleDetail }) => {
  const { program, may } = useProgram()
  const input = { programId: program.id, saleId: sale.id }
  const explanation = useCall('get /api/programs/{programId}/sales/{saleId}/explain', input)
  const terms = explanation.data && termsOf(explanation.data)
  if (!terms || !may('commission:read')) return null
  return <Items key={sale.id} sale={sale} terms={terms} />
}

const Items = ({ sale, terms }: { sale: SaleDetail; terms: NonNullable<RewardForm['sale']> }) => {
  const { program } = useProgram()
  const preview = useSalePreview({ sale: terms }, sale.id)
  // A moved or corrected sale was decided on other facts: the explanation below says which.
  if (preview.data && !(isAsBooked(preview.data, sale) && hasItems(preview.data, terms))) return null
  return (
    <Card>
      <CardHeader title="Items" description="What each item earned, before refunds." />
      <div className="p-5">
        <QueryView query={preview} loading={<PreviewSkeleton />}>
          {({ items, rules, currency, commission }) => (
            <ItemRewards
              items={items}
              rules={rules}
              currency={currency}
              commission={commission}
              sentences={terms.rules && ruleSentences(terms.rules, program.currency)}
            />
          )}
        </QueryView>
      </div>
    </Card>
  )
}

const isAsBooked = ({ commission }: SalePreview, sale: SaleDetail) =>
  (commission?.amountCents ?? null) === sale.commissionCents

const hasItems = ({ items }: SalePreview, { rules }: NonNullable<RewardForm['sale']>) =>
  rules !== undefined || items.some(({ productId }) => productId !== null)

/** The facts of a commission decision, as far as they are about sales. */
type StoredTerms = {
  salePercentBps: number | null
  saleAmountCents: number | null
  saleDuration: 'first' | 'months' | 'lifetime' | null
  saleMonths: number | null
  saleRules?: RewardRule[] | null
}

/** The terms that decided the commission; null if none did, or if they don't pay for sales. */
const termsOf = ({ timeline }: Explanation): NonNullable<RewardForm['sale']> | null => {
  const decision = timeline.findLast(({ event, decidedOn }) => event === 'commission' && decidedOn?.terms)
  const terms = decision?.decidedOn?.terms as StoredTerms | undefined
  if (!terms) return null
  const { saleRules, saleDuration, salePercentBps, saleAmountCents, saleMonths } = terms
  if (saleRules) return { rules: saleRules }
  if (saleDuration === null) return null
  return {
    ...(salePercentBps === null ? { amountCents: saleAmountCents ?? 0 } : { percentBps: salePercentBps }),
    duration: saleDuration,
    ...(saleMonths !== null && { months: saleMonths }),
  }
}
