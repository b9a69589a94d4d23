import { ListFilter } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { Drawer } from '../overlays/dialog.tsx'
import { FiltersInSheet } from './filter-menu.tsx'

type Props = { isFiltered: boolean; sort: ReactNode; children: ReactNode }

/** On a phone, the search stays above the list and everything else that narrows it is in one sheet. */
export const PhoneFilters = ({ isFiltered, sort, children }: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <span data-phone className="ml-auto shrink-0 sm:hidden">
      <Button onClick={() => setOpen(true)} aria-label={isFiltered ? 'Filters, some are set' : 'Filters'}>
        <ListFilter aria-hidden /> Filters{' '}
        {isFiltered && <span aria-hidden className="size-1.5 rounded-full bg-accent" />}
      </Button>
      <Drawer open={isOpen} onOpenChange={setOpen} title="Filters">
        <FiltersInSheet value={true}>
          <div className="flex flex-col gap-5 [&>[role=search]]:hidden">
            {children}
            {sort}
          </div>
        </FiltersInSheet>
      </Drawer>
    </span>
  )
}
