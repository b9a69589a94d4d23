import { keepPreviousData } from '@tanstack/react-query'
import type { AuditEntry, RewardAnswer } from '@tributary/contract'
import { History } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { formatCount, formatTime } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { EmptyState } from '~/components/states.tsx'
import { describeReward, minimumText } from './reward-text.ts'

const PAGE_SIZE = 10

/** Terms normally apply from when they were saved, unless applied to earlier events. */
const isBackdated = (savedAt: string, { validFrom }: RewardAnswer) => validFrom !== null && validFrom < savedAt

/** Every version, from the audit log. */
const COLUMNS: Column<AuditEntry>[] = [
  {
    header: 'Terms',
    cell: ({ after }) => <span className="font-medium">{describeReward(after as RewardAnswer)}</span>,
  },
  { header: 'Version', cell: ({ after }) => (after as RewardAnswer).version, align: 'right' },
  { header: 'Hold period', cell: ({ after }) => formatCount((after as RewardAnswer).holdDays, 'day'), align: 'right' },
  {
    header: 'Minimum payout',
    cell: ({ after }) => minimumText(after as RewardAnswer),
    align: 'right',
  },
  { header: 'By', cell: ({ userName }) => userName ?? <span className="text-faint">–</span> },
  {
    header: 'Saved',
    cell: ({ createdAt, after }) => (
      <>
        {formatTime(createdAt)}
        {isBackdated(createdAt, after as RewardAnswer) && (
          <span className="block text-faint text-xs">Also applied to earlier events</span>
        )}
      </>
    ),
  },
]

export const RewardHistory = () => {
  const { program } = useProgram()
  const { search, setPage } = useListSearch<ListSearch>()
  const history = useCall(
    'get /api/programs/{programId}/audit',
    { programId: program.id, query: { search: 'program reward', page: search.page, pageSize: PAGE_SIZE } },
    { placeholderData: keepPreviousData },
  )
  return (
    <ListCard
      title="History"
      label="Reward history"
      noun="versions"
      query={history}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      onPage={setPage}
      empty={
        <EmptyState icon={<History />} title="No changes yet">
          Every version of the reward terms appears here, with who saved it and when.
        </EmptyState>
      }
    />
  )
}
