import type { ReactNode } from 'react'

/** A row in two lines on a phone, for lists that are scanned rather than read. */
export type Compact<Row> = {
  main: (row: Row) => ReactNode
  end: (row: Row) => ReactNode
  note: (row: Row) => ReactNode
}

type Props<Row> = {
  label: string
  rows: Row[]
  keyOf: (row: Row) => string | number
  compact: Compact<Row>
  /** The first column, which opens the row. */
  title: (row: Row) => ReactNode
}

export const CompactCards = <Row,>({ label, rows, keyOf, compact, title }: Props<Row>) => (
  <ul aria-label={label} className="divide-y divide-line sm:hidden">
    {rows.map((row) => (
      <li key={keyOf(row)} className="relative flex flex-col gap-0.5 px-4 py-1.5 text-sm">
        <div className="flex items-center gap-2">
          <div className="shrink-0">{title(row)}</div>
          <div className="min-w-0 flex-1 truncate font-medium">{compact.main(row)}</div>
          <div className="shrink-0 text-faint text-xs">{compact.end(row)}</div>
        </div>
        <p className="truncate text-soft text-xs">{compact.note(row)}</p>
      </li>
    ))}
  </ul>
)
