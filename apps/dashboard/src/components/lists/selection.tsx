import { X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { formatNumber } from '../format/format.ts'

/**
 * Adds a checkbox to every row and a bar with bulk actions. Only rows that are on the screen are ever selected: another page,
 * filter or sort order drops the others.
 */
export type Selection<Row> = {
  /** Names the row for screen readers, as in "Select Maya Lindqvist". */
  nameOf: (row: Row) => string
  /** Buttons for the selected rows. Call `clear` when the action is done. A dialog belongs into the same component. */
  actions: (rows: Row[], clear: () => void) => ReactNode
  /** Rows that no action applies to have no checkbox. By default, every row has one. */
  isSelectable?: (row: Row) => boolean
}

type Input<Row> = { rows: Row[]; keyOf: (row: Row) => string | number; selection: Selection<Row> | undefined }

export type SelectedRows<Row> = ReturnType<typeof useSelectedRows<Row>>

export const useSelectedRows = <Row,>({ rows, keyOf, selection }: Input<Row>) => {
  const [keys, setKeys] = useState<ReadonlySet<string | number>>(new Set())
  /** The row that a range starts from. */
  const anchor = useRef<string | number>(undefined)
  const selectable = selection ? rows.filter((row) => selection.isSelectable?.(row) ?? true) : []
  const selected = selectable.filter((row) => keys.has(keyOf(row)))
  const set = (changed: Row[], isSelected: boolean) => {
    const next = new Set(selected.map(keyOf))
    for (const row of changed) isSelected ? next.add(keyOf(row)) : next.delete(keyOf(row))
    setKeys(next)
  }
  const clear = () => setKeys(new Set())
  useEscape(selected.length > 0, clear)
  // Otherwise they would be selected again on the way back.
  useEffect(() => {
    const shown = new Set(rows.map(keyOf))
    setKeys((before) =>
      [...before].every((key) => shown.has(key)) ? before : new Set([...before].filter((key) => shown.has(key))),
    )
  }, [rows, keyOf])
  return {
    selected,
    clear,
    isSelectable: (row: Row) => selectable.includes(row),
    isSelected: (row: Row) => selected.includes(row),
    isEvery: selectable.length > 0 && selected.length === selectable.length,
    /** With Shift, all rows from the last one get the same state. */
    toggle: (row: Row, { isRange }: { isRange: boolean }) => {
      const from = selectable.findIndex((other) => keyOf(other) === anchor.current)
      const to = selectable.indexOf(row)
      const range = isRange && from >= 0 ? selectable.slice(Math.min(from, to), Math.max(from, to) + 1) : [row]
      set(range, !selected.includes(row))
      anchor.current = keyOf(row)
    },
    toggleAll: () => set(selectable, selected.length < selectable.length),
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
      indeterminate={of.selected.length > 0 && !of.isEvery}
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

type BarProps<Row> = { of: SelectedRows<Row>; selection: Selection<Row> }

/** Stays at the bottom of the window while the list is longer. */
export const SelectionBar = <Row,>({ of: { selected, clear }, selection }: BarProps<Row>) => {
  const count = `${formatNumber(selected.length)} selected`
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {selected.length > 0 && count}
      </p>
      {selected.length > 0 && (
        <section
          aria-label="Selection"
          className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t bg-accent-soft px-4 py-2.5 text-sm sm:px-5"
        >
          <p aria-hidden className="font-medium text-accent-ink tabular-nums">
            {count}
          </p>
          <div className="flex flex-wrap gap-2">{selection.actions(selected, clear)}</div>
          <Button look="quiet" size="small" className="ml-auto" onClick={clear}>
            <X aria-hidden /> Clear
          </Button>
        </section>
      )}
    </>
  )
}
