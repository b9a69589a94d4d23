import type { TimelineEntry } from '@tributary/contract'
import { type Mark, TimeStrip } from '~/components/facts/time-strip.tsx'
import { TIMELINE_KINDS } from './timeline-kinds.ts'

/** More marks would just be a row of circles; the list below has every event. */
const MAX_MARKS = 14

/** Everything but clicks and commissions first, then the newest clicks. */
const selectMarks = (timeline: TimelineEntry[]) => {
  const candidates = timeline.filter(({ event }) => event !== 'commission')
  const others = candidates.filter(({ event }) => event !== 'click').slice(-MAX_MARKS)
  const clickLimit = Math.max(MAX_MARKS - others.length, 1)
  const clicks = candidates.filter(({ event }) => event === 'click').slice(-clickLimit)
  return candidates.filter((entry) => others.includes(entry) || clicks.includes(entry))
}

export const CustomerStrip = ({ timeline }: { timeline: TimelineEntry[] }) => {
  const selected = selectMarks(timeline)
  if (selected.length < 2) return null
  const marks = selected.map(({ event, id, at }): Mark => {
    const { icon: Icon, look } = TIMELINE_KINDS[event]
    return { key: `${event}-${id}`, at, look, sign: <Icon /> }
  })
  const counts = Map.groupBy(timeline, ({ event }) => event)
  const label = [...counts].map(([event, entries]) => `${TIMELINE_KINDS[event].title} ${entries.length}`).join(', ')
  return (
    <div className="pt-3">
      <TimeStrip label={`Timeline: ${label}.`} marks={marks} />
    </div>
  )
}
