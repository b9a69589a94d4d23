import { ChevronLeft } from 'lucide-react'

/** For the router's Link above the title of a page that belongs to a list. */
export const BACK_LINK =
  'mb-1.5 -ml-1 inline-flex items-center gap-0.5 rounded text-faint text-sm hover:text-ink [&_svg]:size-4'
export const BackIcon = () => <ChevronLeft aria-hidden />
