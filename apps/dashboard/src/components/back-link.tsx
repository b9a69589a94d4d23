import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'

/** Styles a router link back to the list. */
export const BACK_LINK = 'mb-1 -ml-1 inline-flex items-center gap-0.5 rounded text-faint text-sm hover:text-ink'

export const BackLabel = ({ children }: { children: ReactNode }) => (
  <>
    <ChevronLeft aria-hidden className="size-4" /> {children}
  </>
)
