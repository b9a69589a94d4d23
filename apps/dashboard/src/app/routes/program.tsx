import { createRoute, redirect } from '@tanstack/react-router'
import { workspacesQuery } from '~/api/accounts/workspaces.ts'
import { programsQuery } from '~/api/programs.ts'
import { lazyScreen } from '../lazy-screen.ts'
import { listSearch } from '../list-search.ts'
import { firstPermitted } from '../navigation.ts'
import { signedIn } from './signed-in.tsx'

export const program = createRoute({
  getParentRoute: () => signedIn,
  path: '/programs/$programId',
  loader: async ({ context: { queries } }) => {
    await Promise.all([queries.ensureQueryData(programsQuery), queries.ensureQueryData(workspacesQuery)])
  },
  component: lazyScreen(() => import('../shell/shell.tsx'), 'Shell'),
})

const overview = createRoute({
  getParentRoute: () => program,
  path: '/',
  validateSearch: listSearch(['period', 'dateFrom', 'dateTo', 'metric', 'compare']),
  // Users who may not see the overview start on the first screen they may see.
  beforeLoad: async ({ context: { queries }, params }) => {
    const [programs, workspaces] = await Promise.all([
      queries.ensureQueryData(programsQuery),
      queries.ensureQueryData(workspacesQuery),
    ])
    const here = programs.find(({ id }) => String(id) === params.programId)
    const workspace = workspaces.find(({ id }) => id === here?.workspaceId)
    const first = workspace && firstPermitted(workspace.permissions)
    if (first && first.to !== '/programs/$programId') throw redirect({ to: first.to, params })
  },
  component: lazyScreen(() => import('~/pages/overview/overview.tsx'), 'Overview'),
})

const analytics = createRoute({
  getParentRoute: () => program,
  path: '/analytics',
  validateSearch: listSearch(['period', 'dateFrom', 'dateTo']),
  component: lazyScreen(() => import('~/pages/analytics/analytics.tsx'), 'Analytics'),
})

const events = createRoute({
  getParentRoute: () => program,
  path: '/events',
  validateSearch: listSearch(['eventType', 'dateFrom', 'dateTo', 'partnerId', 'linkId', 'country', 'test', 'search']),
  component: lazyScreen(() => import('~/pages/events/events.tsx'), 'Events'),
})

const customers = createRoute({
  getParentRoute: () => program,
  path: '/customers',
  validateSearch: listSearch(['status', 'partnerId', 'search']),
  component: lazyScreen(() => import('~/pages/customers/customers.tsx'), 'Customers'),
})

const customer = createRoute({
  getParentRoute: () => program,
  path: '/customers/$customerId',
  validateSearch: listSearch(['back']),
  component: lazyScreen(() => import('~/pages/customers/customer.tsx'), 'Customer'),
})

const sales = createRoute({
  getParentRoute: () => program,
  path: '/sales',
  validateSearch: listSearch(['state', 'partnerId', 'dateFrom', 'dateTo', 'search']),
  component: lazyScreen(() => import('~/pages/sales/sales.tsx'), 'Sales'),
})

const sale = createRoute({
  getParentRoute: () => program,
  path: '/sales/$saleId',
  validateSearch: listSearch(['back']),
  component: lazyScreen(() => import('~/pages/sales/sale.tsx'), 'Sale'),
})

const lead = createRoute({
  getParentRoute: () => program,
  path: '/leads/$leadId',
  validateSearch: listSearch(['back']),
  component: lazyScreen(() => import('~/pages/explain/lead.tsx'), 'Lead'),
})

const why = createRoute({
  getParentRoute: () => program,
  path: '/why',
  validateSearch: listSearch(['name']),
  component: lazyScreen(() => import('~/pages/why/why.tsx'), 'Why'),
})

const resources = createRoute({
  getParentRoute: () => program,
  path: '/resources',
  component: lazyScreen(() => import('~/pages/resources/resources.tsx'), 'Resources'),
})

const processor = createRoute({
  getParentRoute: () => program,
  path: '/processor',
  validateSearch: listSearch(['fate', 'type', 'reason']),
  component: lazyScreen(() => import('~/pages/processor/processor.tsx'), 'Processor'),
})

const partners = createRoute({
  getParentRoute: () => program,
  path: '/partners',
  validateSearch: listSearch(['status', 'search', 'groupId']),
  component: lazyScreen(() => import('~/pages/partners/partners.tsx'), 'Partners'),
})

const partner = createRoute({
  getParentRoute: () => program,
  path: '/partners/$partnerId',
  validateSearch: listSearch(['period', 'dateFrom', 'dateTo', 'metric', 'back']),
  component: lazyScreen(() => import('~/pages/partners/partner/partner.tsx'), 'Partner'),
})

const links = createRoute({
  getParentRoute: () => program,
  path: '/links',
  validateSearch: listSearch(['partnerId', 'status', 'search']),
  component: lazyScreen(() => import('~/pages/links/links.tsx'), 'Links'),
})

const setUp = createRoute({
  getParentRoute: () => program,
  path: '/set-up',
  validateSearch: listSearch(['processor']),
  component: lazyScreen(() => import('~/pages/set-up/set-up.tsx'), 'SetUp'),
})

const commissions = createRoute({
  getParentRoute: () => program,
  path: '/commissions',
  validateSearch: listSearch(['state', 'partnerId', 'groupId', 'search']),
  component: lazyScreen(() => import('~/pages/commissions/commissions.tsx'), 'Commissions'),
})

const adjustments = createRoute({
  getParentRoute: () => program,
  path: '/adjustments',
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

export const programScreens = [
  overview,
  analytics,
  events,
  customers,
  customer,
  sales,
  sale,
  lead,
  why,
  resources,
  processor,
  partners,
  partner,
  links,
  setUp,
  commissions,
  adjustments,
  payouts,
  payout,
  payoutDraft,
  statement,
] as const
