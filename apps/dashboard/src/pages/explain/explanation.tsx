import type { Explanation as Explained } from '@tributary/contract'
import type { ReactNode } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { ClickCard } from './click-card.tsx'
import { DecisionTimeline } from './decision-timeline.tsx'
import { EvidenceCard } from './evidence-card.tsx'
import { MoneySteps } from './money-steps.tsx'
import { Parts } from './parts.tsx'
import { assignmentOf, isDecidedByLead } from './reason-text.ts'
import { RuleFacts, Verdict } from './verdict.tsx'

type Props = {
  explanation: Explained
  /** Follows the commission. */
  children?: ReactNode
}

export const Explanation = ({ explanation, children }: Props) => {
  const { facts, timeline, commission, subject } = explanation
  const assignment = assignmentOf(explanation)
  const { program, may } = useProgram()
  const isByLead = isDecidedByLead(explanation)
  const mayReadLead = isByLead && may('tracking:list') && subject.clickId !== null
  const lead = useCall(
    'get /api/programs/{programId}/customers/{customerId}',
    { programId: program.id, customerId: subject.clickId ?? '' },
    { enabled: mayReadLead },
  )
  const clicks = facts && facts.clicks.length > 0 && (
    <ClickCard
      facts={facts}
      kind={subject.kind === 'sale' ? 'sale' : 'lead'}
      end={findEnd(explanation)}
      isDecidedByLead={isByLead}
      // Another screen may have read the customer of a lead, which needs no second mark.
      leadAt={mayReadLead ? (lead.data?.leadAt ?? null) : null}
      assignment={assignment}
    />
  )
  return (
    <>
      <Verdict explanation={explanation} />
      {!assignment && clicks}
      {commission && <MoneySteps commission={commission} timeline={timeline} />}
      {children}
      {assignment && <Before explanation={explanation} assignment={assignment} />}
      {assignment && clicks}
      <EvidenceCard steps={explanation.steps} />
      {timeline.length > 0 && (
        <Card className="pb-5">
          <CardHeader title="Decisions" description="Every decision about this event, oldest first." />
          <DecisionTimeline
            timeline={timeline}
            shown={assignment ? latestAttribution(explanation) : headlineEntry(explanation)}
            winner={[...(facts?.clicks ?? []), ...(facts?.codes ?? [])].find(({ why }) => why === null)?.partnerName}
          />
        </Card>
      )}
    </>
  )
}

/** The latest decision of the rules. */
const latestAttribution = ({ timeline, subject }: Explained) => timeline.findLast(({ event }) => event === subject.kind)

/** The decision that the verdict starts with. */
const headlineEntry = ({ timeline, steps: [result] }: Explained) =>
  result?.kind === 'reason' ? timeline.findLast(({ reason }) => reason === result.code) : undefined

/** What the rules decided about a sale that a member has given to a partner since. */
const Before = ({ explanation, assignment }: { explanation: Explained; assignment: string }) => {
  const attribution = latestAttribution(explanation)
  return (
    <Card weight="quiet">
      <CardHeader
        title={`How it was attributed before ${assignment}`}
        description={attribution && <Parts parts={attribution.parts} />}
      />
      <div className="mt-4">
        <RuleFacts explanation={explanation} />
      </div>
    </Card>
  )
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/** When the sale or lead happened according to the facts, otherwise when it was decided. */
const findEnd = ({ facts, timeline, subject }: Explained) =>
  text(facts?.decidedOn.soldAt) ??
  text(facts?.decidedOn.at) ??
  timeline.find(({ event }) => event === subject.kind)?.at ??
  null
