import type { Explanation as Explained } from '@tributary/contract'
import { Card, CardHeader } from '~/components/card.tsx'
import { ClickCard } from './click-card.tsx'
import { MoneySteps } from './money-steps.tsx'
import { Story } from './story.tsx'
import { Verdict } from './verdict.tsx'

/** Why it was credited, or was not: the answer, the clicks on a line, the money, and every decision on the way. */
export const Explanation = ({ explanation }: { explanation: Explained }) => {
  const { facts, timeline, commission, subject } = explanation
  return (
    <>
      <Verdict explanation={explanation} />
      {facts && facts.clicks.length > 0 && (
        <ClickCard facts={facts} kind={subject.kind === 'sale' ? 'sale' : 'lead'} end={endOf(explanation)} />
      )}
      {commission && <MoneySteps commission={commission} timeline={timeline} />}
      {timeline.length > 0 && (
        <Card className="pb-5">
          <CardHeader title="What happened" description="Every decision, in order." />
          <Story timeline={timeline} headline={explanation.sentences[0]} />
        </Card>
      )}
    </>
  )
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/** The moment that the clicks led to: by the facts when the sale was made or the sign-up came, else when it was decided. */
const endOf = ({ facts, timeline, subject }: Explained) =>
  text(facts?.decidedOn.soldAt) ??
  text(facts?.decidedOn.at) ??
  timeline.find(({ event }) => event === subject.kind)?.at ??
  null
