import type { Permission } from '@tributary/contract'
import {
  Activity,
  ChartNoAxesColumn,
  CircleQuestionMark,
  Contact,
  CreditCard,
  KeyRound,
  Link2,
  ListChecks,
  type LucideIcon,
  ShoppingBag,
  UsersRound,
} from 'lucide-react'

export type Destination = {
  label: string
  to:
    | '/programs/$programId'
    | '/programs/$programId/events'
    | '/programs/$programId/customers'
    | '/programs/$programId/sales'
    | '/programs/$programId/why'
    | '/programs/$programId/processor'
    | '/programs/$programId/partners'
    | '/programs/$programId/links'
    | '/programs/$programId/set-up'
    | '/programs/$programId/settings/api-keys'
  icon: LucideIcon
  /** It is the place of the pages below its address too, such as one sale. */
  hasPages?: true
  /** Who may not, does not see it. */
  permission: Permission
}

/** The sidebar and the command palette, top to bottom. A new screen is a line here and a route in routes.tsx. */
export const NAVIGATION: { title: string | null; items: Destination[] }[] = [
  {
    title: null,
    items: [
      { label: 'Overview', to: '/programs/$programId', icon: ChartNoAxesColumn, permission: 'tracking:read' },
      { label: 'Events', to: '/programs/$programId/events', icon: Activity, permission: 'tracking:list' },
      {
        label: 'Customers',
        to: '/programs/$programId/customers',
        icon: Contact,
        permission: 'tracking:list',
        hasPages: true,
      },
      {
        label: 'Sales',
        to: '/programs/$programId/sales',
        icon: ShoppingBag,
        permission: 'tracking:list',
        hasPages: true,
      },
      { label: 'Why not?', to: '/programs/$programId/why', icon: CircleQuestionMark, permission: 'tracking:read' },
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
    title: 'Program',
    items: [
      { label: 'Set-up', to: '/programs/$programId/set-up', icon: ListChecks, permission: 'tracking:read' },
      { label: 'Processor', to: '/programs/$programId/processor', icon: CreditCard, permission: 'tracking:list' },
      { label: 'API keys', to: '/programs/$programId/settings/api-keys', icon: KeyRound, permission: 'key:manage' },
    ],
  },
]
