import type { Permission } from '@tributary/contract'
import {
  Activity,
  Banknote,
  ChartNoAxesColumn,
  ChartSpline,
  Contact,
  CreditCard,
  FolderOpen,
  HandCoins,
  Link2,
  ListChecks,
  type LucideIcon,
  PencilLine,
  SearchCheck,
  Settings,
  ShoppingBag,
  UsersRound,
} from 'lucide-react'

export type Destination = {
  label: string
  to:
    | '/programs/$programId'
    | '/programs/$programId/analytics'
    | '/programs/$programId/events'
    | '/programs/$programId/customers'
    | '/programs/$programId/sales'
    | '/programs/$programId/why'
    | '/programs/$programId/processor'
    | '/programs/$programId/partners'
    | '/programs/$programId/links'
    | '/programs/$programId/resources'
    | '/programs/$programId/set-up'
    | '/programs/$programId/commissions'
    | '/programs/$programId/adjustments'
    | '/programs/$programId/payouts'
    | '/programs/$programId/settings'
    | '/programs/$programId/settings/program'
    | '/programs/$programId/settings/rewards'
    | '/programs/$programId/settings/groups'
    | '/programs/$programId/settings/branding'
    | '/programs/$programId/settings/applications'
    | '/programs/$programId/settings/legal-details'
    | '/programs/$programId/settings/notifications'
    | '/programs/$programId/settings/api-keys'
    | '/programs/$programId/settings/webhooks'
    | '/programs/$programId/settings/team'
    | '/programs/$programId/settings/audit'
    | '/programs/$programId/settings/exports'
  icon: LucideIcon
  /** Hidden from users without it. */
  permission: Permission
  /** Other words that the command palette finds it by. */
  keywords?: string[]
}

/** The sidebar and the command palette, top to bottom. A new screen needs a line here and a route in routes/. */
export const NAVIGATION: { title: string | null; items: Destination[] }[] = [
  {
    title: null,
    items: [
      { label: 'Overview', to: '/programs/$programId', icon: ChartNoAxesColumn, permission: 'tracking:read' },
      { label: 'Analytics', to: '/programs/$programId/analytics', icon: ChartSpline, permission: 'tracking:read' },
      { label: 'Events', to: '/programs/$programId/events', icon: Activity, permission: 'tracking:list' },
      {
        label: 'Customers',
        to: '/programs/$programId/customers',
        icon: Contact,
        permission: 'tracking:list',
      },
      {
        label: 'Sales',
        to: '/programs/$programId/sales',
        icon: ShoppingBag,
        permission: 'tracking:list',
      },
      {
        label: 'Check attribution',
        to: '/programs/$programId/why',
        icon: SearchCheck,
        permission: 'tracking:read',
      },
    ],
  },
  {
    title: 'Referrals',
    items: [
      { label: 'Partners', to: '/programs/$programId/partners', icon: UsersRound, permission: 'tracking:read' },
      { label: 'Links', to: '/programs/$programId/links', icon: Link2, permission: 'tracking:read' },
    ],
  },
  {
    title: 'Money',
    items: [
      { label: 'Commissions', to: '/programs/$programId/commissions', icon: HandCoins, permission: 'commission:read' },
      { label: 'Payouts', to: '/programs/$programId/payouts', icon: Banknote, permission: 'commission:read' },
    ],
  },
  {
    title: 'Program',
    items: [
      { label: 'Setup', to: '/programs/$programId/set-up', icon: ListChecks, permission: 'tracking:read' },
      {
        label: 'Payment processor',
        to: '/programs/$programId/processor',
        icon: CreditCard,
        permission: 'tracking:list',
      },
      { label: 'Resources', to: '/programs/$programId/resources', icon: FolderOpen, permission: 'program:read' },
      { label: 'Settings', to: '/programs/$programId/settings', icon: Settings, permission: 'program:read' },
    ],
  },
]

/** Reached from commissions, so only the command palette lists it. */
export const ADJUSTMENTS: Destination = {
  label: 'Adjustments',
  to: '/programs/$programId/adjustments',
  icon: PencilLine,
  permission: 'commission:read',
  keywords: ['bonus', 'void', 'move sale', 'credit sale', 'manual commission'],
}

/** The user's start page: the first screen they may see. */
export const firstPermitted = (permissions: readonly Permission[]) =>
  NAVIGATION.flatMap(({ items }) => items).find(({ permission }) => permissions.includes(permission))
