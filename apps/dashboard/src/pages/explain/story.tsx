import type { Explanation } from '@tributary/contract'
import {
  BadgeDollarSign,
  Banknote,
  CreditCard,
  Gavel,
  type LucideIcon,
  ScanSearch,
  ShoppingBag,
  Undo2,
  UserRoundPlus,
} from 'lucide-react'
import type { Tone } from '~/components/badge.tsx'
import { Json } from '~/components/facts/json.tsx'
import { Timeline, TimelineEntry } from '~/components/facts/timeline.tsx'
import { outcomeLabel } from './reason-words.ts'

type Entry = Explanation['timeline'][number]

const KINDS: Record<Entry['event'], [title: string, icon: LucideIcon, tone: Tone]> = {
  lead: ['Sign-up', UserRoundPlus, 'accent'],
  sale: ['Sale', ShoppingBag, 'good'],
  commission: ['Commission', BadgeDollarSign, 'accent'],
  refund: ['Refund', Undo2, 'bad'],
  dispute: ['Dispute', Gavel, 'warn'],
  review: ['Review', ScanSearch, 'warn'],
  payout: ['Payout', Banknote, 'good'],
  payment: ['Payment processor', CreditCard, 'neutral'],
}

/** Every decision as a sentence, with the facts that the rule used on demand. */
export const Story = ({ timeline, headline }: { timeline: Entry[]; headline: string | undefined }) => (
  <div className="px-5 pt-4">
    <Timeline label="What happened">
      {timeline.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several decisions are made at one moment, and they never move
        <StoryEntry key={index} entry={entry} isTold={entry.sentence === headline} />
      ))}
    </Timeline>
  </div>
)

/** Outcomes that came to nothing, or not yet. */
const CAME_TO_NOTHING = ['uncredited', 'provisional', 'waiting', 'refused', 'nothing']

type Props = { entry: Entry /** The page's headline says it already. */; isTold: boolean }

const StoryEntry = ({ entry, isTold }: Props) => {
  const { at, event, outcome, reason, sentence, decidedOn } = entry
  const [title, Icon, usual] = KINDS[event]
  const tone = CAME_TO_NOTHING.includes(outcome) ? 'warn' : usual
  return (
    <TimelineEntry
      icon={<Icon />}
      tone={tone}
      at={at}
      title={
        <>
          {title} <span className="font-normal text-faint">{outcomeLabel(outcome)}</span>
        </>
      }
    >
      {!isTold && <p className="text-pretty">{sentence}</p>}
      {reason && (
        <details className="mt-1">
          <summary className="w-fit rounded text-faint text-xs hover:text-ink">Facts behind this decision</summary>
          <p className="mt-1 text-xs">
            Reason code: <code className="font-mono">{reason}</code>
          </p>
          {decidedOn && <Json label={`Facts of ${reason}`} value={decidedOn} />}
        </details>
      )}
    </TimelineEntry>
  )
}
