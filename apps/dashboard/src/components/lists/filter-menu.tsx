import { ListFilter, X } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { createContext, type ReactNode, useContext } from 'react'
import { Badge } from '../badge.tsx'
import { Button, buttonClass } from '../controls/button.tsx'

type Props = { count: number; onClear: () => void; children: ReactNode }

/** In the sheet of a phone, all filters are in view. */
export const FiltersInSheet = createContext(false)

/** Less common filters. The button shows how many are set. */
export const FilterMenu = (props: Props) => {
  const { count, onClear, children } = props
  if (!useContext(FiltersInSheet)) return <FilterPopover {...props} />
  return (
    <>
      {children}
      <Button look="quiet" className="self-start" disabled={count === 0} onClick={onClear}>
        Clear all
      </Button>
    </>
  )
}

const FilterPopover = ({ count, onClear, children }: Props) => (
  <Radix.Root>
    <Radix.Trigger className={buttonClass()}>
      <ListFilter aria-hidden /> Filters {count > 0 && <Badge tone="accent">{count}</Badge>}
    </Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align="start"
        sideOffset={6}
        collisionPadding={12}
        aria-label="Filters"
        className="z-50 flex w-80 max-w-[calc(100vw-1.5rem)] animate-enter flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-over focus:outline-none"
      >
        {children}
        <div className="flex justify-between gap-2">
          <Button look="quiet" disabled={count === 0} onClick={onClear}>
            Clear all
          </Button>
          <Radix.Close className={buttonClass()}>Done</Radix.Close>
        </div>
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** A filter that came with a link and has no control on this page. */
export const FilterChip = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <Button size="small" onClick={onRemove} aria-label={`Remove filter ${label}`}>
    {label} <X aria-hidden />
  </Button>
)
