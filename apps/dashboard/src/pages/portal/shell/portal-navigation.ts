import { ChartNoAxesColumn, HandCoins, Link2, type LucideIcon, ShoppingBag, Wallet } from 'lucide-react'

type Place = {
  label: string
  to:
    | '/portal/$programId'
    | '/portal/$programId/links'
    | '/portal/$programId/sales'
    | '/portal/$programId/earnings'
    | '/portal/$programId/payouts'
  icon: LucideIcon
}

/** All that there is for a partner, in the order in which they ask: how does it go, what do I share, what did it bring. */
export const PLACES: Place[] = [
  { label: 'Overview', to: '/portal/$programId', icon: ChartNoAxesColumn },
  { label: 'Links', to: '/portal/$programId/links', icon: Link2 },
  { label: 'Sales', to: '/portal/$programId/sales', icon: ShoppingBag },
  { label: 'Earnings', to: '/portal/$programId/earnings', icon: HandCoins },
  { label: 'Payouts', to: '/portal/$programId/payouts', icon: Wallet },
]
