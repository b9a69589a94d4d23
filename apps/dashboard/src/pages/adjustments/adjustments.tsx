import { keepPreviousData } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { AdjustmentRow } from '@tributary/contract'
import { MessageCircleQuestionMark, PencilLine, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { BACK_LINK, BackLabel } from '~/components/back-link.tsx'
import { Badge } from '~/components/badge.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { PartnerLink, partnerProps } from '../partners/partner-link.tsx'
import { AddBonusButton } from './bonus-dialog.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { undoLabel } from './undo-text.ts'

const PAGE_SIZE = 25

type AdjustmentsSearch = ListSearch & { type?: string | undefined }

const TYPES = [
  { value: '', label: 'All' },
  { value: 'added', label: 'Bonuses' },
  { value: 'credit', label: 'Credited sales' },
  { value: 'move', label: 'Moved sales' },
  { value: 'void', label: 'Voids' },
]

const describe = ({ type, fromPartnerName, invoiceId, commissionId }: AdjustmentRow) => {
  if (type === 'bonus' || type === 'commission') return invoiceId ? `Bonus for sale ${invoiceId}` : 'Bonus'
  if (type === 'void') return `Commission ${commissionId} voided`
  return type === 'credit' ? `Sale ${invoiceId} credited` : `Sale ${invoiceId} moved from ${fromPartnerName}`
}

const amountOf = ({ type, amountCents, currency }: AdjustmentRow) =>
  amountCents === null || currency === null ? null : formatMoney(type === 'void' ? -amountCents : amountCents, currency)

const COLUMNS: Column<AdjustmentRow>[] = [
  {
    header: 'Partner',
    cell: (row) => (
      <span className="block min-w-0">
        <span className="block truncate">
          <PartnerLink {...partnerProps(row)} />
        </span>
        <span className="block truncate font-normal text-faint text-xs">{describe(row)}</span>
        {row.reversed && <Badge>Undone</Badge>}
      </span>
    ),
  },
  {
    header: 'Reason',
    cell: ({ reason, createdBy, reversed }) => (
      <span className="block min-w-0 max-w-prose">
        <span className="wrap-anywhere block text-pretty text-soft">{reason}</span>
        <span className="wrap-anywhere block text-faint text-xs">
          {createdBy ?? 'A former member'}
          {reversed && ` · Undone by ${reversed.by ?? 'a former member'}: ${reversed.reason}`}
        </span>
      </span>
    ),
    className: 'w-full',
  },
  { header: 'Date', cell: ({ createdAt }) => <Ago at={createdAt} />, align: 'right', sort: 'createdAt' },
  {
    header: 'Amount',
    cell: (row) => amountOf(row) ?? '–',
    align: 'right',
  },
]

const ON_PHONE: PhoneRow<AdjustmentRow> = {
  name: (row) => <PartnerLink {...partnerProps(row)} />,
  amount: amountOf,
  status: (row) => (
    <>
      {row.reversed && <Badge>Undone</Badge>}
      <span className="truncate">
        {describe(row)} · {row.reason}
      </span>
    </>
  ),
  date: ({ createdAt }) => <Ago at={createdAt} />,
}

export const Adjustments = () => {
  const { program, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<AdjustmentsSearch>()
  const known = { programId: program.id, query: { ...search, pageSize: PAGE_SIZE } }
  const adjustments = useCall('get /api/programs/{programId}/adjustments', known, { placeholderData: keepPreviousData })
  const params = { programId: String(program.id) }
  return (
    <Page
      title="Adjustments"
      description="What your team changed manually, and why."
      actions={may('payout:manage') && <AddBonusButton />}
      back={
        <Link to="/programs/$programId/commissions" params={params} className={BACK_LINK}>
          <BackLabel>Commissions</BackLabel>
        </Link>
      }
    >
      <ListCard
        label="Adjustments"
        noun="adjustments"
        query={adjustments}
        columns={COLUMNS}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-createdAt')}
        actions={(adjustment: AdjustmentRow) => <Actions adjustment={adjustment} />}
        filters={
          <Segmented
            label="Type"
            options={TYPES}
            value={search.type ?? ''}
            onChange={(type) => setFilter({ type: type || undefined })}
          />
        }
        empty={
          <EmptyState icon={<PencilLine />} title="No adjustments yet">
            Add a bonus, move a sale on its page, or void a commission. Each appears here with its reason, and can be
            undone.
          </EmptyState>
        }
        {...(search.type && {
          emptyFiltered: <NoMatches icon={<PencilLine />} noun="adjustments" onClear={clear} />,
        })}
      />
    </Page>
  )
}

const Actions = ({ adjustment }: { adjustment: AdjustmentRow }) => {
  const { program, may } = useProgram()
  const { history } = useRouter()
  const [isUndoing, setUndoing] = useState(false)
  const { id, type, saleId, reversed } = adjustment
  const mayUndo = !reversed && may('payout:manage')
  const mayExplain = saleId !== null && may('tracking:list')
  if (!mayUndo && !mayExplain) return null
  return (
    <>
      <RowMenu label={`Actions for adjustment ${id}`}>
        {mayExplain && (
          <MenuItem onSelect={() => history.push(`/programs/${program.id}/sales/${saleId}`)}>
            <MessageCircleQuestionMark aria-hidden /> Open sale
          </MenuItem>
        )}
        {mayUndo && (
          <MenuItem danger onSelect={() => setUndoing(true)}>
            <Undo2 aria-hidden /> {undoLabel(type)}
          </MenuItem>
        )}
      </RowMenu>
      <UndoDialog adjustment={adjustment} open={isUndoing} onClose={() => setUndoing(false)} />
    </>
  )
}
