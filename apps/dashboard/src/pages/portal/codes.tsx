import { TicketPercent } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type PortalCode, type PortalProgram, usePortalCodes } from '~/api/portal.ts'
import { StateChip } from '~/components/badge.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount, formatNumber } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { EmptyState } from '~/components/states.tsx'
import { codeState } from '../codes/code-state.ts'
import { inactiveStatus } from '../links/link-state.ts'
import { BEFORE_REVERSALS } from '../overview/metrics.ts'
import { usePartnership } from './portal-context.ts'

const PAGE_SIZE = 25

/** Of an inactive partnership, active codes count no more. */
const stateFor = (code: PortalCode, partnership: PortalProgram) => {
  const state = codeState(code)
  const inactive = inactiveStatus(partnership)
  return state === 'active' && inactive ? `partnership_${inactive}` : state
}

const columnsFor = (partnership: PortalProgram): Column<PortalCode>[] => [
  { header: 'Code', cell: ({ code }) => <CodeText code={code} /> },
  { header: 'Status', cell: (code) => <StateChip state={stateFor(code, partnership)} /> },
  { header: 'Uses', cell: ({ uses }) => formatNumber(uses), align: 'right' },
  {
    header: 'Commissions',
    note: BEFORE_REVERSALS,
    cell: ({ commissions }) => <Amounts of={commissions} currency={partnership.currency} />,
    align: 'right',
  },
]

const CodeText = ({ code }: { code: string }) => (
  <span className="flex items-center gap-1.5">
    <code className="wrap-anywhere font-medium font-mono">{code}</code>
    <CopyCode code={code} />
  </span>
)

const CopyCode = ({ code }: { code: string }) => <CopyButton text={code} label={`Copy ${code}`} iconOnly />

/** A partner's promotion codes. Nothing if there are none and the partner can't request one. */
export const PortalCodes = ({ ask }: { ask: ReactNode }) => {
  const partnership = usePartnership()
  const { programId, mayRequestCodes, currency } = partnership
  const [page, setPage] = useState(1)
  const codes = usePortalCodes(programId, { page, pageSize: PAGE_SIZE })
  const total = codes.data?.meta.pagination.total ?? 0
  if (!mayRequestCodes && total === 0 && !codes.isError) return null
  return (
    <ListCard
      title="Promotion codes"
      label="Your promotion codes"
      noun="codes"
      query={codes}
      columns={columnsFor(partnership)}
      phone={{
        name: ({ code }) => code,
        amount: ({ commissions }) => <Amounts of={commissions} currency={currency} />,
        status: (code) => (
          <>
            <StateChip state={stateFor(code, partnership)} /> {formatCount(code.uses, 'use')}
          </>
        ),
      }}
      actions={({ code }) => (
        <span className="sm:hidden">
          <CopyCode code={code} />
        </span>
      )}
      keyOf={({ id }) => id}
      onPage={setPage}
      empty={
        <EmptyState icon={<TicketPercent />} title="No codes yet" action={ask}>
          Customers enter a code when they pay, and you get credit without a click on a link.
        </EmptyState>
      }
    />
  )
}
