import type { PortalEarning, Step } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { whileVisible } from '~/api/live.ts'
import { StateChip } from '~/components/badge.tsx'
import { formatMoney, formatTime } from '~/components/format/format.ts'
import { displayState } from '~/components/format/money-state.ts'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { Parts } from '../explain/parts.tsx'
import { describeEarning, earnedFor, netCents } from './earning-text.ts'
import { usePartnership, usePayee } from './portal-context.ts'

type Props = { earning: PortalEarning | null; onClose: () => void }

/** One commission: what happens next, and how it was credited. */
export const EarningPanel = ({ earning, onClose }: Props) => (
  <Drawer open={earning !== null} onOpenChange={(open) => !open && onClose()} title={`Commission ${earning?.id ?? ''}`}>
    {earning && <EarningDetail earning={earning} />}
  </Drawer>
)

export const EarningDetail = ({ earning }: { earning: PortalEarning }) => {
  const payee = usePayee()
  return (
    <div className="flex flex-col gap-6">
      <div>
        <p className="text-figure">{formatMoney(netCents(earning), earning.currency)}</p>
        <p className="mt-1 flex items-center gap-2 text-soft text-sm">
          <StateChip state={displayState(earning)} /> {earnedFor(earning)}, {formatTime(earning.earnedAt)}
        </p>
      </div>
      <Lines title="Status" lines={describeEarning(earning, payee)} />
      <History earningId={earning.id} />
    </div>
  )
}

const History = ({ earningId }: { earningId: number }) => {
  const { programId } = usePartnership()
  const detail = useCall(
    'get /api/portal/programs/{programId}/earnings/{commissionId}',
    { programId, commissionId: earningId },
    { refetchInterval: whileVisible },
  )
  return (
    <QueryView
      query={detail}
      loading={
        <Loading className="flex flex-col gap-2">
          <Skeleton />
          <Skeleton className="h-4 w-2/3" />
        </Loading>
      }
      isEmpty={({ history }) => history.length === 0}
      empty={<p className="text-faint text-sm">No history is available for this commission.</p>}
    >
      {({ history }) => <Lines title="History" lines={history} />}
    </QueryView>
  )
}

const Lines = ({ title, lines }: { title: string; lines: (string | Step)[] }) => (
  <section>
    <h3 className="font-medium text-faint text-xs">{title}</h3>
    <ol className="mt-2 flex flex-col gap-2 border-line border-l pl-4 text-sm">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines can read the same, and they never reorder
        <li key={index} className="wrap-anywhere text-pretty">
          {typeof line === 'string' ? line : <Parts parts={line.parts} />}
        </li>
      ))}
    </ol>
  </section>
)
