import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { AppLink } from '../app-link.tsx'
import { Scrollable } from '../scrollable.tsx'
import { type PhoneRow, PhoneRows } from './phone-rows.tsx'
import { SelectAll, type SelectedRows, type Selection, SelectionBar, SelectRow, useSelectedRows } from './selection.tsx'
import { SortMenu } from './sort-menu.tsx'

export type Column<Row> = {
  header: string
  /** Explanation below the column name. */
  note?: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** The API's sort name, for sortable columns. */
  sort?: string
  /** On a phone the first column is the card's title; hidden columns are omitted. */
  hideOnPhone?: boolean
  /** Hidden unless the user chooses it. */
  isExtra?: boolean
  className?: string
}

/** As in the URL: `name` ascending, `-name` descending. */
export type Sorting = { sort: string | undefined; onSort: (sort: string | undefined) => void }

type Props<Row> = {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string | number
  /** Where a row leads. The whole row is a link, so it can be opened in a new tab. */
  hrefOf?: ((row: Row) => string | undefined) | undefined
  /** For rows that open a panel instead. */
  onOpen?: ((row: Row) => void) | undefined
  actions?: ((row: Row) => ReactNode) | undefined
  /** Checkboxes and bulk actions. */
  selection?: Selection<Row> | undefined
  sorting?: Sorting
  /** Replaces the cards on a phone by rows of two lines. */
  phone?: PhoneRow<Row> | undefined
  /** Rows on all pages, and what they are; for the selection. */
  total?: number
  noun?: string
  /** Dims the old page while the next one loads. */
  stale?: boolean
}

const CELL = 'px-2.5 py-2.5 align-middle first:pl-5 last:pr-5'

const SELECT = 'w-8 pr-0'

/** Stays visible when a wide table scrolls sideways. */
const ACTIONS = 'sticky right-0 w-10'

/** A table from 640 px up, cards below, so phones never scroll sideways. */
export const DataTable = <Row,>(props: Props<Row>) => {
  const { rows, keyOf, selection, stale } = props
  const selected = useSelectedRows({ rows, keyOf, selection })
  const list = useRef<HTMLDivElement>(null)
  useKeptFocus(list, selected.count)
  const view = { ...props, ...(selection && { selecting: { of: selected, selection } }) }
  return (
    <div ref={list} data-list tabIndex={-1} className="focus:outline-none">
      <div className={clsx('transition-opacity', stale && 'opacity-60')} aria-busy={stale || undefined}>
        <WideTable {...view} />
        {props.phone ? <Phone {...view} phone={props.phone} /> : <Cards {...view} />}
      </div>
      {selection && (
        <SelectionBar of={selected} selection={selection} total={props.total ?? 0} noun={props.noun ?? 'rows'} />
      )}
    </div>
  )
}

/** The bar takes the focused button with it when it disappears. */
const useKeptFocus = (list: { current: HTMLElement | null }, count: number) => {
  const before = useRef(count)
  useEffect(() => {
    const isGone = count === 0 && before.current > 0
    before.current = count
    if (isGone && document.activeElement === document.body) list.current?.focus({ preventScroll: true })
  }, [list, count])
}

type ViewProps<Row> = Props<Row> & { selecting?: { of: SelectedRows<Row>; selection: Selection<Row> } | undefined }

const WideTable = <Row,>({ label, columns, rows, keyOf, actions, selecting, sorting, ...open }: ViewProps<Row>) => (
  // Relative, so that screen-reader-only content doesn't widen the page.
  <Scrollable
    label={label}
    className="relative hidden overflow-x-auto rounded-xl focus-visible:-outline-offset-2 sm:block"
  >
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-line border-b text-left text-faint text-xs">
          {selecting && (
            <th scope="col" className={clsx(CELL, SELECT)}>
              <SelectAll of={selecting.of} />
            </th>
          )}
          {columns.map((column) => (
            <HeaderCell key={column.header} column={column} {...(sorting && { sorting })} />
          ))}
          {actions && (
            <th scope="col" className={clsx(CELL, ACTIONS, 'bg-surface')}>
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <TableRow key={keyOf(row)} row={row} columns={columns} {...open} actions={actions} selecting={selecting} />
        ))}
      </tbody>
    </table>
  </Scrollable>
)

type RowProps<Row> = Pick<ViewProps<Row>, 'columns' | 'hrefOf' | 'onOpen' | 'actions' | 'selecting'> & { row: Row }

const TableRow = <Row,>({ row, columns, hrefOf, onOpen, actions, selecting }: RowProps<Row>) => {
  const opens = Boolean(hrefOf ?? onOpen)
  const isSelected = selecting?.of.isSelected(row)
  return (
    <tr className={clsx('group', opens && 'relative hover:bg-hover/60', isSelected && 'bg-accent-soft')}>
      {selecting && (
        <td className={clsx(CELL, SELECT)}>
          <SelectRow {...selecting} row={row} />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.header}
          className={clsx(CELL, column.align === 'right' && 'text-right tabular-nums', column.className)}
        >
          {index === 0 ? (
            <Opener row={row} hrefOf={hrefOf} onOpen={onOpen}>
              {column.cell(row)}
            </Opener>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {actions && (
        <td
          className={clsx(
            CELL,
            ACTIONS,
            'text-right',
            opens && 'group-hover:bg-hover',
            isSelected ? 'bg-accent-soft' : 'bg-surface',
          )}
        >
          {actions(row)}
        </td>
      )}
    </tr>
  )
}

const OPENER =
  'max-w-full text-left after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2'

type OpenerProps<Row> = Pick<Props<Row>, 'hrefOf' | 'onOpen'> & { row: Row; children: ReactNode }

/** One link or button per row: keyboard users reach it, and its overlay makes the whole row clickable. */
const Opener = <Row,>({ row, hrefOf, onOpen, children }: OpenerProps<Row>) => {
  const href = hrefOf?.(row)
  if (href)
    return (
      <AppLink href={href} className={clsx(OPENER, 'inline-block')}>
        {children}
      </AppLink>
    )
  if (!onOpen) return children
  return (
    <button type="button" onClick={() => onOpen(row)} className={OPENER}>
      {children}
    </button>
  )
}

const HeaderCell = <Row,>({ column, sorting }: { column: Column<Row>; sorting?: Sorting }) => {
  const { header, note, align, sort } = column
  const direction = !sort
    ? null
    : sorting?.sort === sort
      ? 'ascending'
      : sorting?.sort === `-${sort}`
        ? 'descending'
        : 'none'
  const className = clsx(CELL, 'py-2 font-medium', align === 'right' && 'text-right')
  if (!sort || !sorting)
    return (
      <th scope="col" className={className}>
        {header}
        {note && <Note>{note}</Note>}
      </th>
    )
  const next = direction === 'descending' ? sort : `-${sort}`
  const Icon = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown
  return (
    <th scope="col" aria-sort={direction ?? undefined} className={className}>
      <button
        type="button"
        onClick={() => sorting.onSort(next)}
        className={clsx('inline-flex items-center gap-1 rounded hover:text-ink', direction !== 'none' && 'text-ink')}
      >
        {header} <Icon aria-hidden className="size-3" />
      </button>
      {note && <Note>{note}</Note>}
    </th>
  )
}

const Note = ({ children }: { children: string }) => (
  <span className="block whitespace-nowrap font-normal text-xs"> {children}</span>
)

const Phone = <Row,>({ hrefOf, onOpen, ...rest }: ViewProps<Row> & { phone: PhoneRow<Row> }) => (
  <PhoneRows
    {...rest}
    opener={(row, name) => (
      <Opener row={row} hrefOf={hrefOf} onOpen={onOpen}>
        {name}
      </Opener>
    )}
  />
)

const Cards = <Row,>({ label, columns, rows, keyOf, hrefOf, onOpen, actions, selecting, sorting }: ViewProps<Row>) => {
  const [title, ...others] = columns
  const shown = others.filter(({ hideOnPhone }) => !hideOnPhone)
  const figures = shown.filter(({ align }) => align === 'right').length
  return (
    <>
      {sorting && (
        <div className="border-line border-b px-4 py-2 sm:hidden">
          <SortMenu columns={columns} sorting={sorting} />
        </div>
      )}
      {selecting && (
        <div className="border-line border-b px-4 py-2 sm:hidden">
          <SelectAll of={selecting.of} text="Select all" />
        </div>
      )}
      <ul aria-label={label} className="divide-y divide-line sm:hidden">
        {rows.map((row) => (
          <li key={keyOf(row)} className="relative flex flex-col gap-2.5 px-4 py-3.5 text-sm">
            <div className="flex items-start justify-between gap-3">
              {selecting && <SelectRow {...selecting} row={row} />}
              <div className="min-w-0 flex-1 font-medium">
                <Opener row={row} hrefOf={hrefOf} onOpen={onOpen}>
                  {title?.cell(row)}
                </Opener>
              </div>
              {actions && <div className="relative -my-1 -mr-1">{actions(row)}</div>}
            </div>
            <dl className="grid grid-cols-3 gap-x-4 gap-y-2">
              {shown.map((column) => (
                <CardFact
                  key={column.header}
                  column={column}
                  row={row}
                  isFigure={column.align === 'right' && figures > 1}
                />
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

type FactProps<Row> = { column: Column<Row>; row: Row; isFigure: boolean }

/** Text and single figures take a full line; several figures share a row of three. */
const CardFact = <Row,>({ column: { header, note, cell }, row, isFigure }: FactProps<Row>) => (
  <div className={isFigure ? 'min-w-0' : 'col-span-3 flex items-center justify-between gap-4'}>
    <dt className="shrink-0 text-faint text-xs">
      {header}
      {note && <Note>{note}</Note>}
    </dt>
    <dd className={clsx('wrap-anywhere min-w-0 tabular-nums', !isFigure && 'text-right')}>{cell(row)}</dd>
  </div>
)
