import type { Permission } from '@tributary/contract'
import {
  Activity,
  Banknote,
  ChartNoAxesColumn,
  ChartSpline,
  ClipboardList,
  Contact,
  FolderOpen,
  HandCoins,
  Layers,
  Link2,
  ListChecks,
  type LucideIcon,
  PencilLine,
  SearchCheck,
  Settings,
  ShoppingBag,
  TicketPercent,
  UsersRound,
} from 'lucide-react'
import type { SettingsAddress } from './settings-navigation.ts'

export type Destination = {
  label: string
  to:
    | '/programs/$programId'
    | '/programs/$programId/analytics'
    | '/programs/$programId/partners'
    | '/programs/$programId/partners/groups'
    | '/programs/$programId/partners/applications'
    | '/programs/$programId/links'
    | '/programs/$programId/links/codes'
    | '/programs/$programId/sales'
    | '/programs/$programId/sales/customers'
    | '/programs/$programId/sales/events'
    | '/programs/$programId/sales/check-attribution'
    | '/programs/$programId/commissions'
    | '/programs/$programId/commissions/adjustments'
    | '/programs/$programId/payouts'
    | '/programs/$programId/resources'
    | '/programs/$programId/set-up'
    | '/programs/$programId/settings'
    | SettingsAddress
  icon: LucideIcon
  /** Hidden from users without it. */
  permission: Permission
  /** Other words that the command palette finds it by. */
  keywords?: string[]
}

/** A line of the menu. Its pages are tabs; a place without tabs is one page. */
export type Place = Destination & { tabs?: [Destination, ...Destination[]] }

const place = (...tabs: [Destination, ...Destination[]]): Place => ({ ...tabs[0], tabs })

/** The menu, top to bottom. A new page is a tab of a place or a section of the settings; routes/ has its route. */
export const PLACES: Place[] = [
  { label: 'Overview', to: '/programs/$programId', icon: ChartNoAxesColumn, permission: 'tracking:read' },
  { label: 'Analytics', to: '/programs/$programId/analytics', icon: ChartSpline, permission: 'tracking:read' },
  place(
    { label: 'Partners', to: '/programs/$programId/partners', icon: UsersRound, permission: 'tracking:read' },
    { label: 'Groups', to: '/programs/$programId/partners/groups', icon: Layers, permission: 'program:read' },
    {
      label: 'Applications',
      to: '/programs/$programId/partners/applications',
      icon: ClipboardList,
      permission: 'tracking:read',
    },
  ),
  place(
    { label: 'Links', to: '/programs/$programId/links', icon: Link2, permission: 'tracking:read' },
    {
      label: 'Codes',
      to: '/programs/$programId/links/codes',
      icon: TicketPercent,
      permission: 'tracking:read',
      keywords: ['promotion codes', 'coupons', 'discounts'],
    },
  ),
  place(
    { label: 'Sales', to: '/programs/$programId/sales', icon: ShoppingBag, permission: 'tracking:list' },
    { label: 'Customers', to: '/programs/$programId/sales/customers', icon: Contact, permission: 'tracking:list' },
    { label: 'Events', to: '/programs/$programId/sales/events', icon: Activity, permission: 'tracking:list' },
    {
      label: 'Check attribution',
      to: '/programs/$programId/sales/check-attribution',
      icon: SearchCheck,
      permission: 'tracking:read',
      keywords: ['why'],
    },
  ),
  { label: 'Commissions', to: '/programs/$programId/commissions', icon: HandCoins, permission: 'commission:read' },
  { label: 'Payouts', to: '/programs/$programId/payouts', icon: Banknote, permission: 'commission:read' },
  { label: 'Resources', to: '/programs/$programId/resources', icon: FolderOpen, permission: 'program:read' },
  { label: 'Settings', to: '/programs/$programId/settings', icon: Settings, permission: 'program:read' },
]

/** In the menu until every step is done. */
export const SET_UP: Destination = {
  label: 'Setup',
  to: '/programs/$programId/set-up',
  icon: ListChecks,
  permission: 'tracking:read',
}

/** Reached from commissions, so only the command palette lists it. */
export const ADJUSTMENTS: Destination = {
  label: 'Adjustments',
  to: '/programs/$programId/commissions/adjustments',
  icon: PencilLine,
  permission: 'commission:read',
  keywords: ['bonus', 'void', 'move sale', 'credit sale', 'manual commission'],
}

/** The user's start page: the first place they may see. */
export const firstPermitted = (permissions: readonly Permission[]) =>
  PLACES.find(({ permission }) => permissions.includes(permission))

/** The places and tabs that the user may see. A place leads to its first tab. */
export const permittedPlaces = (may: (permission: Permission) => boolean): Place[] =>
  PLACES.flatMap((place) => {
    const [first, ...tabs] = (place.tabs ?? [place]).filter(({ permission }) => may(permission))
    if (!first) return []
    return [{ ...place, to: first.to, ...(place.tabs && { tabs: [first, ...tabs] }) }]
  })
