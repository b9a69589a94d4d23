import type { Explanation } from '@tributary/contract'
import {
  BadgeDollarSign,
  Banknote,
  CreditCard,
  Gavel,
  type LucideIcon,
  PencilLine,
  ScanSearch,
  ShoppingBag,
  Undo2,
  UserRoundPlus,
} from 'lucide-react'
import type { Tone } from '~/components/badge.tsx'
import { Json } from '~/components/facts/json.tsx'
import { Timeline, TimelineEntry } from '~/components/facts/timeline.tsx'
import { decisionTitle } from './decision-title.ts'
import { Parts } from './parts.tsx'

type Entry = Explanation['timeline'][number]

const LOOKS: Record<Entry['event'], [icon: LucideIcon, tone: Tone]> = {
  lead: [UserRoundPlus, 'neutral'],
  sale: [ShoppingBag, 'good'],
  commission: [BadgeDollarSign, 'neutral'],
  refund: [Undo2, 'bad'],
  dispute: [Gavel, 'warn'],
  review: [ScanSearch, 'warn'],
  adjustment: [PencilLine, 'neutral'],
  payout: [Banknote, 'good'],
  payment: [CreditCard, 'neutral'],
}

type TimelineProps = {
  timeline: Entry[]
  /** The entry that a card above already shows. */
  shown: Entry | undefined
  /** The partner that it credits. */
  winner: string | null | undefined
}

/** Every decision with its reason; the facts behind it are collapsed. */
export const DecisionTimeline = ({ timeline, shown, winner }: TimelineProps) => (
  <div className="px-5 pt-4">
    <Timeline label="Decisions">
      {timeline.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several decisions share a timestamp, and they never reorder
        <DecisionEntry key={index} entry={entry} isShown={entry === shown} winner={winner} />
      ))}
    </Timeline>
  </div>
)

/** Outcomes with no effect, or none yet. */
const WITHOUT_EFFECT = ['uncredited', 'provisional', 'waiting', 'refused', 'nothing']

const CREDITS = ['credited', 'settled']

type Props = { entry: Entry; isShown: boolean; winner: string | null | undefined }

const DecisionEntry = ({ entry, isShown, winner }: Props) => {
  const { at, event, outcome, reason, parts, decidedOn } = entry
  const [Icon, defaultTone] = LOOKS[reason === 'commission_voided' || reason === 'void_undone' ? 'commission' : event]
  const tone = WITHOUT_EFFECT.includes(outcome) ? 'warn' : defaultTone
  const credit = isShown && winner && CREDITS.includes(outcome) ? ` to ${winner}` : ''
  const title = decisionTitle(entry) + credit
  return (
    <TimelineEntry icon={<Icon />} tone={tone} at={at} title={title}>
      {!isShown && (
        <p className="wrap-anywhere text-pretty">
          <Parts parts={parts} />
        </p>
      )}
      {reason && (
        <details className="mt-1">
          <summary className="w-fit rounded text-faint text-xs hover:text-ink">Facts behind this decision</summary>
          <p className="mt-1 text-xs">
            Reason code: <code className="font-mono">{reason}</code>
          </p>
          {decidedOn && <Json label={`Facts for ${reason}`} value={decidedOn} />}
        </details>
      )}
    </TimelineEntry>
  )
}
