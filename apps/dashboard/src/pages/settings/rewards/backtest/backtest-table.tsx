import type { BacktestBlock, BacktestPartner } from '@tributary/contract'
import { useState } from 'react'
import { formatMoney } from '~/components/format/format.ts'
import { type Column, DataTable } from '~/components/lists/data-table.tsx'
import { Pagination } from '~/components/lists/pagination.tsx'
import { PartnerLink, partnerProps } from '../../../partners/partner-link.tsx'
import { EARNED, formatDifference, WOULD_HAVE_EARNED } from './backtest-text.ts'

const PAGE_SIZE = 25
const FIRST_SORT = '-actualCents'

/** All partners of one currency. The response has every row, so sorting and paging happen here. */
export const BacktestTable = ({ block }: { block: BacktestBlock }) => {
  const [sort, setSort] = useState(FIRST_SORT)
  const [page, setPage] = useState(1)
  const { currency, partners } = block
  const total = partners.length
  const start = (page - 1) * PAGE_SIZE
  const onSort = (chosen: string | undefined) => {
    setSort(chosen ?? FIRST_SORT)
    setPage(1)
  }
  return (
    <>
      <DataTable
        label={`Comparison by partner, ${currency}`}
        columns={columnsFor(currency)}
        rows={sortPartners(partners, sort).slice(start, start + PAGE_SIZE)}
        keyOf={({ partnerId }) => partnerId}
        sorting={{ sort, onSort }}
      />
      <Pagination
        facts={{ page, pageSize: PAGE_SIZE, pageCount: Math.ceil(total / PAGE_SIZE), total }}
        onPage={setPage}
        noun="partners"
        label={`Pages of partners, ${currency}`}
      />
    </>
  )
}

const columnsFor = (currency: string): Column<BacktestPartner>[] => [
  { header: 'Partner', cell: (row) => <PartnerLink {...partnerProps(row)} />, sort: 'partnerName' },
  {
    header: EARNED,
    cell: ({ actualCents }) => formatMoney(actualCents, currency),
    align: 'right',
    sort: 'actualCents',
  },
  {
    header: WOULD_HAVE_EARNED,
    cell: ({ proposedCents }) => formatMoney(proposedCents, currency),
    align: 'right',
    sort: 'proposedCents',
  },
  {
    header: 'Difference',
    cell: ({ differenceCents }) => formatDifference(differenceCents, currency),
    align: 'right',
    sort: 'differenceCents',
  },
]

const sortPartners = (partners: BacktestPartner[], sort: string) => {
  const direction = sort.startsWith('-') ? -1 : 1
  const name = sort.replace(/^-/, '')
  return partners.toSorted((a, b) => direction * (name === 'partnerName' ? byName(a, b) : by(name, a, b)))
}

const byName = (a: BacktestPartner, b: BacktestPartner) => a.partnerName.localeCompare(b.partnerName)

const by = (name: string, a: BacktestPartner, b: BacktestPartner) => {
  const column = name as 'actualCents' | 'proposedCents' | 'differenceCents'
  return a[column] - b[column]
}
