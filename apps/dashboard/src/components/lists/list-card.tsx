import type { UseQueryResult } from '@tanstack/react-query'
import { FileX2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { List } from '~/api/client.ts'
import { Card } from '../card.tsx'
import { Button } from '../controls/button.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { EmptyState, QueryView } from '../states.tsx'
import { type Column, DataTable, type Sorting } from './data-table.tsx'
import { Pagination } from './pagination.tsx'
import { PhoneFilters } from './phone-filters.tsx'
import type { PhoneRow } from './phone-rows.tsx'
import type { Selection } from './selection.tsx'
import { SortMenu } from './sort-menu.tsx'

type Props<Row> = {
  label: string
  /** Plural, for example "links". */
  noun: string
  query: UseQueryResult<List<Row>>
  columns: Column<Row>[]
  keyOf: (row: Row) => string | number
  onPage: (page: number) => void
  /** Where a row leads. */
  hrefOf?: (row: Row) => string | undefined
  onOpen?: (row: Row) => void
  actions?: (row: Row) => ReactNode
  /** Checkboxes and bulk actions. */
  selection?: Selection<Row> | undefined
  sorting?: Sorting
  /** Two lines per row on a phone. */
  phone?: PhoneRow<Row>
  /** Of a list among other cards. */
  title?: string
  filters?: ReactNode
  /** Shown if there are no rows at all. */
  empty: ReactNode
  /** Shown if filters match nothing; defaults to `empty`. */
  emptyFiltered?: ReactNode
}

/** The standard list: filters, four states, pagination. */
export const ListCard = <Row,>({ query, title, filters, empty, emptyFiltered, noun, onPage, ...table }: Props<Row>) => (
  <Card>
    {title && <h2 className="border-line border-b px-4 py-3 text-section sm:px-5">{title}</h2>}
    {filters && (
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2 max-sm:flex-nowrap sm:px-5 sm:py-3 max-sm:[&>*:not([role=search],[data-phone])]:hidden">
        {filters}
        <PhoneFilters
          isFiltered={emptyFiltered !== undefined}
          sort={table.phone && table.sorting && <SortMenu columns={table.columns} sorting={table.sorting} />}
        >
          {filters}
        </PhoneFilters>
      </div>
    )}
    <QueryView
      query={query}
      loading={<SkeletonRows />}
      isEmpty={({ meta }) => meta.pagination.total === 0}
      empty={emptyFiltered ?? empty}
    >
      {({ data, meta }) =>
        data.length === 0 ? (
          <PastTheEnd noun={noun} onFirst={() => onPage(1)} />
        ) : (
          <>
            <DataTable
              {...table}
              rows={data}
              stale={query.isPlaceholderData}
              total={meta.pagination.total}
              noun={noun}
            />
            <Pagination facts={meta.pagination} atLeast={meta.atLeast ?? false} onPage={onPage} noun={noun} />
          </>
        )
      }
    </QueryView>
  </Card>
)

/** A shared link may point to a page that no longer exists. */
const PastTheEnd = ({ noun, onFirst }: { noun: string; onFirst: () => void }) => (
  <EmptyState icon={<FileX2 />} title="This page is empty" action={<Button onClick={onFirst}>Go to first page</Button>}>
    This page is past the end of the list of {noun}.
  </EmptyState>
)
