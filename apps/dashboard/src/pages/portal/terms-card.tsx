import type { RewardAnswer } from '@tributary/contract'
import { BadgeCheck } from 'lucide-react'
import { Card, CardHeader } from '~/components/card.tsx'
import { payoutTerms, rewardSentences } from './reward-text.ts'

export const TermsCard = ({ reward }: { reward: RewardAnswer }) => (
  <Card>
    <CardHeader title="Reward terms" />
    <div className="px-5 pt-3 pb-5">
      <RewardList reward={reward} />
    </div>
  </Card>
)

export const RewardList = ({ reward }: { reward: RewardAnswer }) => {
  const sentences = rewardSentences(reward)
  if (sentences.length === 0) return <p className="text-soft text-sm">This program has not set a reward yet.</p>
  return (
    <>
      <ul className="flex flex-col gap-2">
        {sentences.map((sentence) => (
          <li key={sentence} className="flex items-start gap-2 font-medium text-sm">
            <BadgeCheck aria-hidden className="mt-px size-4 shrink-0 text-accent" /> {sentence}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-pretty text-faint text-sm">{payoutTerms(reward)}</p>
    </>
  )
}
