import { MAX_SELECTED } from '@tributary/contract/limits'
import { X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { formatNumber } from '../format/format.ts'
import { toast } from '../overlays/toast.tsx'

/** `rows`: those of the selected that were on the screen. */
export type Selected<Row> = { ids: number[]; rows: Row[] }

/** Adds a checkbox to every row and a bar with bulk actions. The selection survives paging and sorting; another filter ends it. */
export type Selection<Row> = {
  /** Names the row for screen readers, as in "Select Maya Lindqvist". */
  nameOf: (row: Row) => string
  /** Buttons for the selected rows. Call `clear` when the action is done. A dialog belongs into the same component. */
  actions: (selected: Selected<Row>, clear: () => void) => ReactNode
  /** Rows that no action applies to have no checkbox. By default, every row has one. */
  isSelectable?: (row: Row) => boolean
  /** The filters: the selection belongs to them. */
  scope: string
  /** The IDs of all rows that match the filters. */
  loadAll: () => Promise<number[]>
}

type Input<Row> = { rows: Row[]; keyOf: (row: Row) => string | number; selection: Selection<Row> | undefined }

export type SelectedRows<Row> = ReturnType<typeof useSelectedRows<Row>>

const NONE: ReadonlySet<number> = new Set()

export const useSelectedRows = <Row,>({ rows, keyOf, selection }: Input<Row>) => {
  const scope = selection?.scope ?? ''
  const [chosen, setChosen] = useState({ scope, keys: NONE })
  const keys = chosen.scope === scope ? chosen.keys : NONE
  /** Every row that was shown, with its latest state. */
  const seen = useRef(new Map<number, Row>())
  for (const row of rows) seen.current.set(Number(keyOf(row)), row)
  /** The row that a range starts from. */
  const anchor = useRef<number>(undefined)
  const selectable = selection ? rows.filter((row) => selection.isSelectable?.(row) ?? true) : []
  const isSelected = (row: Row) => keys.has(Number(keyOf(row)))
  const onPage = selectable.filter(isSelected)
  const setKeys = (next: ReadonlySet<number>) => setChosen({ scope, keys: next })
  const set = (changed: Row[], isOn: boolean) => {
    const next = new Set(keys)
    for (const row of changed) isOn ? next.add(Number(keyOf(row))) : next.delete(Number(keyOf(row)))
    setKeys(next)
  }
  const clear = () => setKeys(NONE)
  useEscape(keys.size > 0, clear)
  const ids = [...keys]
  return {
    count: keys.size,
    selected: { ids, rows: ids.flatMap((id) => seen.current.get(id) ?? []) },
    clear,
    select: (all: number[]) => setKeys(new Set(all)),
    isSelectable: (row: Row) => selectable.includes(row),
    isSelected,
    isEvery: selectable.length > 0 && onPage.length === selectable.length,
    isSome: onPage.length > 0,
    /** With Shift, all rows from the last one get the same state. */
    toggle: (row: Row, { isRange }: { isRange: boolean }) => {
      const from = selectable.findIndex((other) => Number(keyOf(other)) === anchor.current)
      const to = selectable.indexOf(row)
      const range = isRange && from >= 0 ? selectable.slice(Math.min(from, to), Math.max(from, to) + 1) : [row]
      set(range, !isSelected(row))
      anchor.current = Number(keyOf(row))
    },
    toggleAll: () => set(selectable, onPage.length < selectable.length),
  }
}

/** Dialogs and menus prevent the default of the Escape that closes them. In a text field, Escape belongs to the field. */
const useEscape = (isActive: boolean, onEscape: () => void) => {
  const act = useRef(onEscape)
  act.current = onEscape
  useEffect(() => {
    if (!isActive) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input:not([type=checkbox]), textarea')
      if (event.key === 'Escape' && !event.defaultPrevented && !isTyping) act.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isActive])
}

type BoxProps = {
  label: string
  checked: boolean
  indeterminate?: boolean
  onToggle: (event: MouseEvent<HTMLInputElement>) => void
}

/** Lies above the link that covers the row. The label makes the target larger than the box. */
const Checkbox = ({ label, checked, indeterminate = false, onToggle }: BoxProps) => (
  <label className="relative z-10 -m-2 inline-grid size-8 cursor-pointer select-none place-items-center align-middle">
    <input
      type="checkbox"
      data-select
      aria-label={label}
      ref={(box) => {
        if (box) box.indeterminate = indeterminate
      }}
      checked={checked}
      // The click, not the change, knows about the Shift key.
      onClick={onToggle}
      onChange={() => {}}
      onKeyDown={moveByArrow}
      className="size-4 cursor-pointer rounded accent-accent"
    />
  </label>
)

/** Up and down go to the checkbox of the next row. */
const moveByArrow = (event: KeyboardEvent<HTMLInputElement>) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const boxes = [...(event.currentTarget.closest('[data-list]')?.querySelectorAll<HTMLElement>('[data-select]') ?? [])]
  const visible = boxes.filter((box) => box.offsetParent !== null)
  visible[visible.indexOf(event.currentTarget) + step]?.focus()
}

export const SelectAll = <Row,>({ of, text }: { of: SelectedRows<Row>; text?: string }) => {
  const box = (
    <Checkbox
      label="Select all on this page"
      checked={of.isEvery}
      indeterminate={of.isSome && !of.isEvery}
      onToggle={of.toggleAll}
    />
  )
  if (!text) return box
  return (
    <span className="flex items-center gap-3 text-faint text-xs">
      {box} <span aria-hidden>{text}</span>
    </span>
  )
}

type RowBoxProps<Row> = { of: SelectedRows<Row>; row: Row; selection: Selection<Row> }

export const SelectRow = <Row,>({ of, row, selection }: RowBoxProps<Row>) =>
  of.isSelectable(row) && (
    <Checkbox
      label={`Select ${selection.nameOf(row)}`}
      checked={of.isSelected(row)}
      onToggle={(event) => of.toggle(row, { isRange: event.shiftKey })}
    />
  )

type BarProps<Row> = { of: SelectedRows<Row>; selection: Selection<Row>; total: number; noun: string }

/** Stays at the bottom of the window while the list is longer. */
export const SelectionBar = <Row,>({ of, selection, total, noun }: BarProps<Row>) => {
  const { count, selected, clear } = of
  const text = `${formatNumber(count)} selected`
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {count > 0 && text}
      </p>
      {count > 0 && (
        <section
          aria-label="Selection"
          className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t bg-accent-soft px-4 py-2.5 text-sm sm:px-5"
        >
          <p aria-hidden className="font-medium text-accent-ink tabular-nums">
            {text}
          </p>
          {of.isEvery && count < total && <SelectMatching of={of} load={selection.loadAll} total={total} noun={noun} />}
          <div className="flex flex-wrap gap-2">{selection.actions(selected, clear)}</div>
          <Button look="quiet" size="small" className="ml-auto" onClick={clear}>
            <X aria-hidden /> Clear
          </Button>
        </section>
      )}
    </>
  )
}

type MatchingProps<Row> = { of: SelectedRows<Row>; load: () => Promise<number[]>; total: number; noun: string }

/** Offered once a whole page is selected. */
const SelectMatching = <Row,>({ of, load, total, noun }: MatchingProps<Row>) => {
  const [isLoading, setLoading] = useState(false)
  if (total > MAX_SELECTED)
    return (
      <p className="text-soft text-xs">
        To select all {noun}, narrow the filters to {formatNumber(MAX_SELECTED)}.
      </p>
    )
  const run = async () => {
    setLoading(true)
    await load().then(of.select, toast.failed)
    setLoading(false)
  }
  return (
    <Button look="quiet" size="small" busy={isLoading} onClick={() => void run()}>
      Select all {formatNumber(total)} {noun}
    </Button>
  )
}
