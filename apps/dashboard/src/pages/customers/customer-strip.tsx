import type { TimelineEntry } from '@tributary/contract'
import { type Mark, TimeStrip } from '~/components/facts/time-strip.tsx'
import { TIMELINE_KINDS } from './timeline-kinds.ts'

/** More would only be a row of circles; the list below has them all. */
const DRAWN = 14

/** The events that changed something, and as many of the newest clicks as there is room for. */
const drawnOf = (timeline: TimelineEntry[]) => {
  const told = timeline.filter(({ event }) => event !== 'commission')
  const others = told.filter(({ event }) => event !== 'click').slice(-DRAWN)
  const room = Math.max(DRAWN - others.length, 1)
  const clicks = told.filter(({ event }) => event === 'click').slice(-room)
  return told.filter((entry) => others.includes(entry) || clicks.includes(entry))
}

export const CustomerStrip = ({ timeline }: { timeline: TimelineEntry[] }) => {
  const drawn = drawnOf(timeline)
  if (drawn.length < 2) return null
  const marks = drawn.map(({ event, id, at }): Mark => {
    const { icon: Icon, look } = TIMELINE_KINDS[event]
    return { key: `${event}-${id}`, at, look, sign: <Icon /> }
  })
  const counts = Map.groupBy(timeline, ({ event }) => event)
  const label = [...counts].map(([event, entries]) => `${TIMELINE_KINDS[event].title} ${entries.length}`).join(', ')
  return (
    <div className="pt-3">
      <TimeStrip label={`Time line: ${label}.`} marks={marks} />
    </div>
  )
}
