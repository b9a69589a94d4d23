import type { TimelineEntry } from '@tributary/contract'
import {
  BadgeDollarSign,
  Gavel,
  type LucideIcon,
  MousePointerClick,
  ShoppingBag,
  Undo2,
  UserRoundPlus,
} from 'lucide-react'
import type { Tone } from '~/components/badge.tsx'
import type { Mark } from '~/components/facts/time-strip.tsx'

type Kind = { title: string; icon: LucideIcon; tone: Tone; look: Mark['look'] }

export const TIMELINE_KINDS: Record<TimelineEntry['event'], Kind> = {
  click: { title: 'Click', icon: MousePointerClick, tone: 'neutral', look: 'plain' },
  lead: { title: 'Lead', icon: UserRoundPlus, tone: 'neutral', look: 'lead' },
  sale: { title: 'Sale', icon: ShoppingBag, tone: 'good', look: 'sale' },
  commission: { title: 'Commission', icon: BadgeDollarSign, tone: 'neutral', look: 'lead' },
  refund: { title: 'Refund', icon: Undo2, tone: 'bad', look: 'loss' },
  dispute: { title: 'Dispute', icon: Gavel, tone: 'warn', look: 'loss' },
}
