import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { codeLabel } from './format/labels.ts'

const TONES = {
  neutral: 'bg-sunken text-soft',
  accent: 'bg-accent-soft text-accent-ink',
  good: 'bg-good-soft text-good-ink',
  warn: 'bg-warn-soft text-warn-ink',
  bad: 'bg-bad-soft text-bad-ink',
}
export type Tone = keyof typeof TONES

type Props = { tone?: Tone; dot?: boolean; children: ReactNode }

/** `dot` marks a state. */
export const Badge = ({ tone = 'neutral', dot, children }: Props) => (
  <span
    className={clsx(
      'inline-flex h-5 items-center gap-1.5 whitespace-nowrap rounded-full px-2 font-medium text-xs [&_svg]:size-3',
      TONES[tone],
    )}
  >
    {dot && <span aria-hidden className="size-1.5 rounded-full bg-current" />}
    {children}
  </span>
)

const STATES: Record<string, [label: string, tone: Tone]> = {
  active: ['Active', 'good'],
  disabled: ['Disabled', 'neutral'],
  requested: ['Requested', 'warn'],
  commissions_held: ['Commissions held', 'warn'],
  archived: ['Archived', 'neutral'],
  pending: ['Pending', 'warn'],
  approved: ['Approved', 'good'],
  rejected: ['Rejected', 'neutral'],
  suspended: ['Suspended', 'bad'],
  revoked: ['Revoked', 'neutral'],
  connected: ['Connected', 'good'],
  not_connected: ['Not connected', 'neutral'],
  restricted: ['Restricted', 'warn'],
  disconnected: ['Disconnected', 'bad'],
  held: ['Held', 'neutral'],
  awaiting_approval: ['Awaiting approval', 'warn'],
  on_hold: ['Held', 'warn'],
  in_dispute: ['In dispute', 'warn'],
  payable: ['Payable', 'accent'],
  on_its_way: ['In payout', 'neutral'],
  paid: ['Paid', 'good'],
  reversed: ['Reversed in full', 'bad'],
  voided: ['Voided', 'bad'],
  review: ['In review', 'warn'],
  open: ['Open', 'accent'],
  failed: ['Failed', 'bad'],
  failing: ['Failing', 'bad'],
  delivered: ['Delivered', 'good'],
  emptied: ['Nothing to pay', 'neutral'],
  partner_pending: ['Partner pending', 'warn'],
  partner_suspended: ['Partner suspended', 'bad'],
  partner_rejected: ['Partner rejected', 'bad'],
  partner_archived: ['Partner archived', 'neutral'],
  partnership_suspended: ['Partnership suspended', 'warn'],
  partnership_rejected: ['Application rejected', 'neutral'],
  partnership_archived: ['Partnership archived', 'neutral'],
  settled: ['Credited', 'good'],
  provisional: ['Provisional', 'warn'],
  credited: ['Credited', 'good'],
  uncredited: ['Not credited', 'warn'],
  not_received: ['Not received', 'neutral'],
  click: ['Visitor', 'neutral'],
  lead: ['Lead', 'neutral'],
  customer: ['Paying', 'good'],
  applied: ['Applied', 'good'],
  waiting: ['Waiting', 'warn'],
  ignored: ['Ignored', 'neutral'],
  refused: ['Rejected', 'bad'],
}

export const stateLabel = (state: string) => STATES[state]?.[0] ?? codeLabel(state)

/** The only place that defines the label and colour of a state. */
export const StateChip = ({ state }: { state: string }) => {
  const [, tone] = STATES[state] ?? [state, 'neutral']
  return (
    <Badge tone={tone} dot>
      {stateLabel(state)}
    </Badge>
  )
}
