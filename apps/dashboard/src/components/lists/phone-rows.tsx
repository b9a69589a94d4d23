import type { ReactNode } from 'react'
import { SelectAll, type SelectedRows, type Selection, SelectRow } from './selection.tsx'

/** A row of a list on a phone, in two lines: name and amount; status and date. An amount of zero is left out. */
export type PhoneRow<Row> = {
  /** Opens the row. */
  name: (row: Row) => ReactNode
  amount?: (row: Row) => ReactNode
  status?: (row: Row) => ReactNode
  date?: (row: Row) => ReactNode
}

type Props<Row> = {
  label: string
  rows: Row[]
  keyOf: (row: Row) => string | number
  phone: PhoneRow<Row>
  opener: (row: Row, name: ReactNode) => ReactNode
  actions?: ((row: Row) => ReactNode) | undefined
  selecting?: { of: SelectedRows<Row>; selection: Selection<Row> } | undefined
}

export const PhoneRows = <Row,>({ label, rows, keyOf, phone, opener, actions, selecting }: Props<Row>) => (
  <div className="sm:hidden">
    {selecting && (
      <div className="border-line border-b px-4 py-1.5">
        <SelectAll of={selecting.of} text="Select all" />
      </div>
    )}
    <ul aria-label={label} className="divide-y divide-line">
      {rows.map((row) => (
        <li key={keyOf(row)} className="relative flex items-center gap-3 px-4 py-1.5 text-sm">
          {selecting && <SelectRow {...selecting} row={row} />}
          <div className="min-w-0 flex-1">
            <div className="flex items-baseline justify-between gap-3">
              <div className="min-w-0 flex-1 truncate font-medium">{opener(row, phone.name(row))}</div>
              <div className="shrink-0 font-medium tabular-nums">{phone.amount?.(row)}</div>
            </div>
            <div className="flex min-h-5 items-center justify-between gap-3 text-soft text-xs">
              <div className="flex min-w-0 items-center gap-1.5 truncate">{phone.status?.(row)}</div>
              <div className="shrink-0 text-faint">{phone.date?.(row)}</div>
            </div>
          </div>
          {actions && <div className="relative -mr-2">{actions(row)}</div>}
        </li>
      ))}
    </ul>
  </div>
)
