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
import { outcomeLabel } from './reason-text.ts'

type Entry = Explanation['timeline'][number]

const KINDS: Record<Entry['event'], [title: string, icon: LucideIcon, tone: Tone]> = {
  lead: ['Lead', UserRoundPlus, 'accent'],
  sale: ['Sale', ShoppingBag, 'good'],
  commission: ['Commission', BadgeDollarSign, 'accent'],
  refund: ['Refund', Undo2, 'bad'],
  dispute: ['Dispute', Gavel, 'warn'],
  review: ['Review', ScanSearch, 'warn'],
  adjustment: ['Adjustment', PencilLine, 'accent'],
  payout: ['Payout', Banknote, 'good'],
  payment: ['Payment processor', CreditCard, 'neutral'],
}

/** Every decision as a sentence; the facts behind it are collapsed. */
export const DecisionTimeline = ({ timeline, headline }: { timeline: Entry[]; headline: string | undefined }) => (
  <div className="px-5 pt-4">
    <Timeline label="Decisions">
      {timeline.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several decisions share a timestamp, and they never reorder
        <DecisionEntry key={index} entry={entry} isHeadline={entry.sentence === headline} />
      ))}
    </Timeline>
  </div>
)

/** Outcomes with no effect, or none yet. */
const WITHOUT_EFFECT = ['uncredited', 'provisional', 'waiting', 'refused', 'nothing']

type Props = { entry: Entry /** The page headline already shows this sentence. */; isHeadline: boolean }

const DecisionEntry = ({ entry, isHeadline }: Props) => {
  const { at, event, outcome, reason, sentence, decidedOn } = entry
  const [title, Icon, defaultTone] =
    KINDS[reason === 'commission_voided' || reason === 'void_undone' ? 'commission' : event]
  const tone = WITHOUT_EFFECT.includes(outcome) ? 'warn' : defaultTone
  return (
    <TimelineEntry
      icon={<Icon />}
      tone={tone}
      at={at}
      title={
        <>
          {title} <span className="font-normal text-faint">{outcomeLabel(outcome, reason)}</span>
        </>
      }
    >
      {!isHeadline && <p className="text-pretty">{sentence}</p>}
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
