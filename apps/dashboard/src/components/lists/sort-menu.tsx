import { Select } from '../controls/field.tsx'
import type { Column, Sorting } from './data-table.tsx'

/** Phones show cards, which have no column headers to sort by. */
export const SortMenu = <Row,>({ columns, sorting }: { columns: Column<Row>[]; sorting: Sorting }) => {
  const sortable = columns.filter(({ sort }) => sort)
  // A list may start in an order that no column has, such as newest first.
  const isByColumn = sortable.some(({ sort }) => sorting.sort?.replace(/^-/, '') === sort)
  return (
    <Select
      aria-label="Sort by"
      value={isByColumn ? sorting.sort : ''}
      onChange={(event) => sorting.onSort(event.target.value || undefined)}
    >
      {!isByColumn && <option value="">Sort by…</option>}
      {sortable.flatMap(({ header, sort }) => [
        <option key={`-${sort}`} value={`-${sort}`}>
          Sort by {header}, descending
        </option>,
        <option key={sort} value={sort}>
          Sort by {header}, ascending
        </option>,
      ])}
    </Select>
  )
}
