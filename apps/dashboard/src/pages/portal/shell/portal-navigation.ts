import { ChartNoAxesColumn, FolderOpen, HandCoins, Link2, type LucideIcon, ShoppingBag, Wallet } from 'lucide-react'

type Screen = {
  label: string
  to:
    | '/portal/$programId'
    | '/portal/$programId/links'
    | '/portal/$programId/sales'
    | '/portal/$programId/earnings'
    | '/portal/$programId/payouts'
    | '/portal/$programId/resources'
  icon: LucideIcon
  /** Five fit at the bottom of a phone; the others are in the user menu. */
  isInMenu?: true
}

export const PORTAL_SCREENS: Screen[] = [
  { label: 'Overview', to: '/portal/$programId', icon: ChartNoAxesColumn },
  { label: 'Links', to: '/portal/$programId/links', icon: Link2 },
  { label: 'Sales', to: '/portal/$programId/sales', icon: ShoppingBag },
  { label: 'Commissions', to: '/portal/$programId/earnings', icon: HandCoins },
  { label: 'Payouts', to: '/portal/$programId/payouts', icon: Wallet },
  { label: 'Resources', to: '/portal/$programId/resources', icon: FolderOpen, isInMenu: true },
]
