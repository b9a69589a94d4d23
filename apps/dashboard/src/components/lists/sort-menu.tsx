import { Select } from '../controls/field.tsx'
import type { Column, Sorting } from './data-table.tsx'

/** On a phone a list has no headings to press. */
export const SortMenu = <Row,>({ columns, sorting }: { columns: Column<Row>[]; sorting: Sorting }) => {
  const sortable = columns.filter(({ sort }) => sort)
  // A list may begin in an order that no column has, such as the newest first.
  const isOfColumn = sortable.some(({ sort }) => sorting.sort?.replace(/^-/, '') === sort)
  return (
    <div className="border-line border-b px-4 py-2 sm:hidden">
      <Select
        aria-label="Sort by"
        value={isOfColumn ? sorting.sort : ''}
        onChange={(event) => sorting.onSort(event.target.value || undefined)}
      >
        {!isOfColumn && <option value="">Sort by …</option>}
        {sortable.flatMap(({ header, sort }) => [
          <option key={`-${sort}`} value={`-${sort}`}>
            Sort by {header}, descending
          </option>,
          <option key={sort} value={sort}>
            Sort by {header}, ascending
          </option>,
        ])}
      </Select>
    </div>
  )
}
