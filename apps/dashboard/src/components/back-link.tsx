import { useLocation, useSearch } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { AppLink } from './app-link.tsx'

/** Styles a router link back to the list. */
export const BACK_LINK = 'mb-1 -ml-1 inline-flex items-center gap-0.5 rounded text-faint text-sm hover:text-ink'

export const BackLabel = ({ children }: { children: ReactNode }) => (
  <>
    <ChevronLeft aria-hidden className="size-4" /> {children}
  </>
)

/** Lists that a detail page may lead back to. */
const LISTS = {
  commissions: 'Commissions',
  links: 'Links',
  partners: 'Partners',
  payouts: 'Payouts',
  sales: 'Sales',
  'sales/customers': 'Customers',
  'partners/applications': 'Applications',
  'commissions/adjustments': 'Adjustments',
}
type ListName = keyof typeof LISTS

/**
 * Addresses of details, such as `sales/12`. They remember the list they were opened from, with its filters, sort order and page,
 * so that the way back also works in a new tab.
 */
export const useDetailHref = (programId: number) => {
  const { pathname, searchStr } = useLocation()
  const base = `/programs/${programId}/`
  const list = pathname.slice(base.length)
  return (detail: string) => {
    const isUsual = detail.startsWith(`${list}/`) && searchStr === ''
    return isUsual ? base + detail : `${base}${detail}?back=${encodeURIComponent(list + searchStr)}`
  }
}

type Props = { programId: number; list: ListName; search?: string }

/** Back to the list that the page was opened from, or else to `list`. */
export const BackLink = ({ programId, list, search = '' }: Props) => {
  const { back }: { back?: unknown } = useSearch({ strict: false })
  const [, from, filters = ''] = /^([\w/]+)(\?.*)?$/.exec(String(back ?? '')) ?? []
  const known = from !== undefined && from in LISTS ? (from as ListName) : undefined
  return (
    <AppLink href={`/programs/${programId}/${known ? known + filters : list + search}`} className={BACK_LINK}>
      <BackLabel>{LISTS[known ?? list]}</BackLabel>
    </AppLink>
  )
}
