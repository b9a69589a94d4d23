import type { Explanation as Explained } from '@tributary/contract'
import { Card, CardHeader } from '~/components/card.tsx'
import { ClickCard } from './click-card.tsx'
import { DecisionTimeline } from './decision-timeline.tsx'
import { MoneySteps } from './money-steps.tsx'
import { isBound } from './reason-text.ts'
import { Verdict } from './verdict.tsx'

export const Explanation = ({ explanation }: { explanation: Explained }) => {
  const { facts, timeline, commission, subject } = explanation
  return (
    <>
      <Verdict explanation={explanation} />
      {facts && facts.clicks.length > 0 && (
        <ClickCard
          facts={facts}
          kind={subject.kind === 'sale' ? 'sale' : 'lead'}
          end={findEnd(explanation)}
          isBound={isBound(explanation)}
        />
      )}
      {commission && <MoneySteps commission={commission} timeline={timeline} />}
      {timeline.length > 0 && (
        <Card className="pb-5">
          <CardHeader title="Decisions" description="Every decision about this event, oldest first." />
          <DecisionTimeline timeline={timeline} headline={explanation.sentences[0]} />
        </Card>
      )}
    </>
  )
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/** When the sale or lead happened according to the facts, otherwise when it was decided. */
const findEnd = ({ facts, timeline, subject }: Explained) =>
  text(facts?.decidedOn.soldAt) ??
  text(facts?.decidedOn.at) ??
  timeline.find(({ event }) => event === subject.kind)?.at ??
  null
