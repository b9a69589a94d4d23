import type { PayoutLine, PayoutLineEvent } from '@tributary/contract'
import { Banknote, Check, CircleSlash2, FileSpreadsheet, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import type { Tone } from '~/components/badge.tsx'
import { Timeline, TimelineEntry } from '~/components/facts/timeline.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'

type Action = PayoutLineEvent['action']

const ACTIONS: Record<Action, { title: string; icon: ReactNode; tone: Tone }> = {
  created: { title: 'Created', icon: <Banknote />, tone: 'neutral' },
  exported: { title: 'Exported', icon: <FileSpreadsheet />, tone: 'neutral' },
  reset: { title: 'Removed from its payment file', icon: <Undo2 />, tone: 'neutral' },
  paid: { title: 'Marked as paid', icon: <Check />, tone: 'good' },
  failed: { title: 'Marked as failed', icon: <X />, tone: 'bad' },
  emptied: { title: 'Closed: everything was reversed or disputed', icon: <CircleSlash2 />, tone: 'neutral' },
}

const FILES: Record<string, string> = { csv: 'CSV', paypal: 'PayPal', wise: 'Wise' }

type Props = { payoutId: number; line: PayoutLine; onClose: () => void }

/** What happened to a payout line, when and by whom. */
export const LineHistory = ({ payoutId, line, onClose }: Props) => {
  const { program } = useProgram()
  const history = useCall('get /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/history', {
    programId: program.id,
    payoutId,
    lineId: line.id,
  })
  return (
    <Drawer
      open
      onOpenChange={(open) => !open && onClose()}
      title={`History: ${line.partnerName}`}
      description={`${formatMoney(line.amountCents, line.currency)} in payout ${payoutId}`}
    >
      <QueryView query={history} loading={<SkeletonRows rows={3} />}>
        {({ data: events }) => (
          <Timeline label={`History of ${line.partnerName}`}>
            {events.map((event) => (
              <HistoryEntry key={`${event.action} ${event.at}`} event={event} currency={line.currency} />
            ))}
          </Timeline>
        )}
      </QueryView>
    </Drawer>
  )
}

const HistoryEntry = ({ event, currency }: { event: PayoutLineEvent; currency: string }) => {
  const { action, at, userName, amountCents, file, reference, note } = event
  const { title, icon, tone } = ACTIONS[action]
  const facts = [
    ...(userName ? [`by ${userName}`] : []),
    ...(amountCents !== null && action !== 'emptied' ? [formatMoney(amountCents, currency)] : []),
    ...(reference ? [`reference ${reference}`] : []),
  ]
  return (
    <TimelineEntry icon={icon} tone={tone} at={at} title={file ? `${title} (${FILES[file] ?? file} file)` : title}>
      {facts.join(', ')}
      {note && <span className="block">“{note}”</span>}
    </TimelineEntry>
  )
}
