import { Link } from '@tanstack/react-router'
import { HandCoins } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { LIVE_LIST } from '~/api/live.ts'
import { StateChip } from '~/components/badge.tsx'
import { Card } from '~/components/card.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { displayState } from '~/components/format/money-state.ts'
import { Ago } from '~/components/format/time.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { earnedFor, netCents } from '../earning-text.ts'
import { LinksButton } from '../links-button.tsx'
import { usePartnership } from '../portal-context.ts'

const SHOWN = 5

export const LatestEarnings = () => {
  const { programId } = usePartnership()
  const earnings = useCall(
    'get /api/portal/programs/{programId}/earnings',
    { programId, query: { pageSize: SHOWN } },
    LIVE_LIST,
  )
  return (
    <Card>
      <h2 className="border-line border-b px-5 py-3 text-section">Latest commissions</h2>
      <QueryView
        query={earnings}
        loading={<SkeletonRows rows={SHOWN} />}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <EmptyState icon={<HandCoins />} title="No commissions yet" action={<LinksButton />}>
            Commissions appear here when someone you refer signs up or buys.
          </EmptyState>
        }
      >
        {({ data }) => (
          <ul className="divide-y divide-line">
            {data.map((earning) => (
              <li key={earning.id} className="flex items-center gap-3 px-5 py-2.5 text-sm">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{earnedFor(earning)}</span>
                  <span className="block text-faint text-xs">
                    <Ago at={earning.earnedAt} />
                  </span>
                </span>
                <StateChip state={displayState(earning)} />
                <span className="w-24 text-right font-medium tabular-nums">
                  {formatMoney(netCents(earning), earning.currency)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <Link
        to="/portal/$programId/earnings"
        params={{ programId: String(programId) }}
        className="block rounded-b-xl border-line border-t px-5 py-2.5 text-soft text-xs hover:bg-hover/60 hover:text-ink focus-visible:-outline-offset-2"
      >
        View all commissions
      </Link>
    </Card>
  )
}
