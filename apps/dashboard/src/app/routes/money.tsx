import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../lazy-screen.ts'
import { listSearch } from '../list-search.ts'
import { program } from './program.tsx'

const commissions = createRoute({
  getParentRoute: () => program,
  path: '/commissions',
  validateSearch: listSearch(['state', 'partnerId', 'groupId', 'search']),
  component: lazyScreen(() => import('~/pages/commissions/commissions.tsx'), 'Commissions'),
})

const adjustments = createRoute({
  getParentRoute: () => program,
  path: '/commissions/adjustments',
  validateSearch: listSearch(['type', 'partnerId']),
  component: lazyScreen(() => import('~/pages/adjustments/adjustments.tsx'), 'Adjustments'),
})

const payouts = createRoute({
  getParentRoute: () => program,
  path: '/payouts',
  validateSearch: listSearch(['view', 'state', 'search']),
  component: lazyScreen(() => import('~/pages/payouts/payouts.tsx'), 'Payouts'),
})

const payout = createRoute({
  getParentRoute: () => program,
  path: '/payouts/$payoutId',
  validateSearch: listSearch(['status', 'search', 'back']),
  component: lazyScreen(() => import('~/pages/payouts/payout.tsx'), 'Payout'),
})

const payoutDraft = createRoute({
  getParentRoute: () => program,
  path: '/payouts/draft',
  component: lazyScreen(() => import('~/pages/payouts/draft/draft.tsx'), 'Draft'),
})

const statement = createRoute({
  getParentRoute: () => program,
  path: '/payouts/$payoutId/statements/$lineId',
  component: lazyScreen(() => import('~/pages/statements/statement.tsx'), 'MerchantStatement'),
})

export const moneyScreens = [commissions, adjustments, payouts, payout, payoutDraft, statement] as const
