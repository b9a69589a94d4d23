import type { TimelineEntry as Entry } from '@tributary/contract'
import { useState } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { Timeline, TimelineEntry } from '~/components/facts/timeline.tsx'
import { ExplainLink } from '../explain/explain-link.tsx'
import { describe } from './describe-entry.ts'
import { TIMELINE_KINDS } from './timeline-kinds.ts'

const SHOWN = 30

/** Every event of a customer. Long timelines start with the newest events. */
export const CustomerTimeline = ({ timeline, shown = SHOWN }: { timeline: Entry[]; shown?: number }) => {
  const [isExpanded, setExpanded] = useState(false)
  const hidden = isExpanded ? 0 : Math.max(timeline.length - shown, 0)
  return (
    <>
      {hidden > 0 && (
        <Button size="small" className="mb-4" onClick={() => setExpanded(true)}>
          Show {hidden} earlier events
        </Button>
      )}
      <Timeline label="Timeline">
        {timeline.slice(hidden).map((entry) => (
          <EntryRow key={`${entry.event}-${entry.id}`} entry={entry} />
        ))}
      </Timeline>
    </>
  )
}

const EntryRow = ({ entry }: { entry: Entry }) => {
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
