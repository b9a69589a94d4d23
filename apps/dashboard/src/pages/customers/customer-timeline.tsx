import type { TimelineEntry as Entry } from '@tributary/contract'
import { useState } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { Timeline, TimelineEntry } from '~/components/facts/timeline.tsx'
import { ExplainLink } from '../explain/explain-link.tsx'
import { describe } from './describe-entry.ts'
import { TIMELINE_KINDS } from './timeline-kinds.ts'

const SHOWN = 30

/** All that happened with a customer. A long history begins with its newest part. */
export const CustomerTimeline = ({ timeline, shown = SHOWN }: { timeline: Entry[]; shown?: number }) => {
  const [isWhole, setWhole] = useState(false)
  const hidden = isWhole ? 0 : Math.max(timeline.length - shown, 0)
  return (
    <>
      {hidden > 0 && (
        <Button size="small" className="mb-4" onClick={() => setWhole(true)}>
          Show {hidden} earlier
        </Button>
      )}
      <Timeline label="All that happened">
        {timeline.slice(hidden).map((entry) => (
          <Happened key={`${entry.event}-${entry.id}`} entry={entry} />
        ))}
      </Timeline>
    </>
  )
}

const Happened = ({ entry }: { entry: Entry }) => {
  const { icon: Icon, tone } = TIMELINE_KINDS[entry.event]
  const { title, text } = describe(entry)
  return (
    <TimelineEntry
      icon={<Icon />}
      tone={tone}
      at={entry.at}
      title={title}
      action={
        (entry.event === 'sale' && <ExplainLink of={{ saleId: entry.id }} />) ||
        (entry.event === 'lead' && <ExplainLink of={{ leadId: entry.id }} />)
      }
    >
      {text}
    </TimelineEntry>
  )
}
