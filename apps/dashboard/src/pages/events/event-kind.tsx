import type { TrackingEvent } from '@tributary/contract'
import { FlaskConical, MousePointerClick, ShoppingBag, UserRoundPlus } from 'lucide-react'
import { Badge, type Tone } from '~/components/badge.tsx'

const KINDS = {
  click: { label: 'Click', tone: 'neutral', icon: MousePointerClick },
  lead: { label: 'Lead', tone: 'neutral', icon: UserRoundPlus },
  sale: { label: 'Sale', tone: 'good', icon: ShoppingBag },
} satisfies Record<TrackingEvent['eventType'], { label: string; tone: Tone; icon: typeof ShoppingBag }>

export const EventKind = ({ event }: { event: Pick<TrackingEvent, 'eventType' | 'test'> }) => {
  const { label, tone, icon: Icon } = KINDS[event.eventType]
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge tone={tone}>
        <Icon aria-hidden /> {label}
      </Badge>
      {event.test && (
        <Badge tone="warn">
          <FlaskConical aria-hidden /> Test
        </Badge>
      )}
    </span>
  )
}
