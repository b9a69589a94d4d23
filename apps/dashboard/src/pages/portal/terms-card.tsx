import type { RewardAnswer, TierProgress } from '@tributary/contract'
import { BadgeCheck } from 'lucide-react'
import { Card, CardHeader } from '~/components/card.tsx'
import { rewardSentences } from '~/components/format/reward-sentences.ts'
import { payoutTerms, tierSentence } from './reward-text.ts'

type Props = { reward: RewardAnswer; tier?: TierProgress | null }

export const TermsCard = ({ reward, tier }: Props) => (
  <Card weight="quiet">
    <CardHeader title="Reward terms" />
    <div className="px-5 pt-3 pb-5">
      <RewardList reward={reward} />
      {tier && <NextTier tier={tier} />}
    </div>
  </Card>
)

/** "7 of 10 sales this month, then 30% of every sale" */
const NextTier = ({ tier }: { tier: TierProgress }) => {
  const { after, reached } = tier
  const goal = 'sales' in after ? after.sales : after.amountCents
  return (
    <section className="mt-4 flex flex-col gap-2 border-line border-t pt-4">
      <h3 className="font-medium text-sm">Next tier</h3>
      <progress
        aria-label="Progress to the next tier"
        value={Math.min(reached, goal)}
        max={goal}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-series-1 [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-series-1"
      />
      <p className="text-pretty text-sm">{tierSentence(tier)}</p>
      <p className="text-faint text-xs">
        {'sales' in after ? 'Refunded sales don’t count.' : 'Refunds are deducted.'} You move up within minutes of
        reaching it.
      </p>
    </section>
  )
}

export const RewardList = ({ reward }: { reward: RewardAnswer }) => {
  const sentences = rewardSentences(reward)
  if (sentences.length === 0) return <p className="text-soft text-sm">This program has not set a reward yet.</p>
  return (
    <>
      <ul className="flex flex-col gap-2">
        {sentences.map((sentence) => (
          <li key={sentence} className="flex items-start gap-2 font-medium text-sm">
            <BadgeCheck aria-hidden className="mt-px size-4 shrink-0 text-faint" /> {sentence}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-pretty text-faint text-sm">{payoutTerms(reward)}</p>
    </>
  )
}
