import { useNavigate } from '@tanstack/react-router'
import { Banknote } from 'lucide-react'
import { type PayoutSummary, usePayout, usePayouts } from '~/api/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { Amounts } from '~/components/amounts.tsx'
import { Badge } from '~/components/badge.tsx'
import type { Column } from '~/components/data-table.tsx'
import { formatDate, formatNumber } from '~/components/format.ts'
import { ListCard } from '~/components/list-card.tsx'
import { Skeleton } from '~/components/skeleton.tsx'
import { EmptyState } from '~/components/states.tsx'
import { countOf, sumsOf } from './sums.ts'

/** The sum of each comes with its lines, so that a page is short and the next click finds them read. */
const PAGE_SIZE = 10

const COLUMNS: Column<PayoutSummary>[] = [
  { header: 'Payout', cell: ({ id }) => <span className="font-medium">Payout {id}</span> },
  { header: 'State', cell: ({ openCount }) => <State openCount={openCount} /> },
  { header: 'Created', cell: ({ createdAt }) => formatDate(createdAt), align: 'right' },
  { header: 'Lines', cell: ({ lineCount }) => formatNumber(lineCount), align: 'right' },
  { header: 'Sum', cell: ({ id }) => <Sum payoutId={id} />, align: 'right' },
]

type Props = { page: number | undefined; onPage: (page: number) => void }

export const PayoutsList = ({ page, onPage }: Props) => {
  const { program } = useProgram()
  const navigate = useNavigate()
  const payouts = usePayouts(program.id, { page, pageSize: PAGE_SIZE })
  const open = ({ id }: PayoutSummary) => {
    const params = { programId: String(program.id), payoutId: String(id) }
    void navigate({ to: '/programs/$programId/payouts/$payoutId', params })
  }
  return (
    <ListCard
      label="Payouts"
      noun="payouts"
      query={payouts}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      onPage={onPage}
      onOpen={open}
      empty={
        <EmptyState icon={<Banknote />} title="No payouts yet">
          Create the first when something is payable: commissions are, once their hold is over.
        </EmptyState>
      }
    />
  )
}

const State = ({ openCount }: { openCount: number }) =>
  openCount > 0 ? (
    <Badge tone="accent" dot>
      {countOf(openCount, 'line', 'lines')} open
    </Badge>
  ) : (
    <Badge tone="good" dot>
      Done
    </Badge>
  )

const Sum = ({ payoutId }: { payoutId: number }) => {
  const { program } = useProgram()
  const { data } = usePayout(program.id, payoutId)
  if (!data) return <Skeleton className="ml-auto h-4 w-16" />
  return <Amounts of={sumsOf(data.lines)} currency={program.currency} />
}
