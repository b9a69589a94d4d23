import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { portalProgramsQuery } from '~/api/portal.ts'
import { programsQuery } from '~/api/programs.ts'
import { sessionQuery } from '~/api/session.ts'
import { workspacesQuery } from '~/api/workspaces.ts'
import { lastPartnership, lastProgram } from './last-program.ts'
import { listSearch } from './list-search.ts'
import { firstPermitted } from './navigation.ts'
import { NotFound, PageError, Pending, Root } from './root.tsx'

type Context = { queries: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: Root, notFoundComponent: NotFound })

const nextOf = (search: Record<string, unknown>): { next?: string } =>
  typeof search.next === 'string' && search.next.startsWith('/') && !search.next.startsWith('//')
    ? { next: search.next }
    : {}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: nextOf,
  component: lazyRouteComponent(() => import('~/pages/sign-in/sign-in.tsx'), 'SignIn'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('~/pages/sign-in/sign-up.tsx'), 'SignUp'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invite/$invitationId',
  component: lazyRouteComponent(() => import('~/pages/sign-in/invitation.tsx'), 'Invitation'),
})

const partnerInvitation = createRoute({
  getParentRoute: () => root,
  path: '/portal/invite/$invitationId',
  component: lazyRouteComponent(() => import('~/pages/portal/invitation.tsx'), 'PartnerInvitationPage'),
})

const application = createRoute({
  getParentRoute: () => root,
  path: '/apply/$programId',
  component: lazyRouteComponent(() => import('~/pages/portal/application.tsx'), 'Application'),
})

/** Everything behind the sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { queries }, location }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
    return { user: session.user }
  },
})

/** Who came as a partner and belongs to no workspace has the portal, and nothing of the merchants' side. */
const isOnlyPartner = async (queries: QueryClient) => {
  const [partnerships, workspaces] = await Promise.all([
    queries.ensureQueryData(portalProgramsQuery),
    queries.ensureQueryData(workspacesQuery),
  ])
  return partnerships.length > 0 && workspaces.length === 0
}

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context: { queries } }) => {
    const programs = await queries.ensureQueryData(programsQuery)
    const program = programs.find(({ id }) => id === lastProgram()) ?? programs[0]
    if (!program) throw redirect({ to: (await isOnlyPartner(queries)) ? '/portal' : '/welcome' })
    throw redirect({ to: '/programs/$programId', params: { programId: String(program.id) } })
  },
})

const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: '/welcome',
  validateSearch: (search: Record<string, unknown>): { workspace?: string } =>
    typeof search.workspace === 'string' ? { workspace: search.workspace } : {},
  beforeLoad: async ({ context: { queries } }) => {
    if (await isOnlyPartner(queries)) throw redirect({ to: '/portal' })
  },
  loader: ({ context: { queries } }) => queries.ensureQueryData(workspacesQuery),
  component: lazyRouteComponent(() => import('~/pages/welcome/welcome.tsx'), 'Welcome'),
})

const program = createRoute({
  getParentRoute: () => signedIn,
  path: '/programs/$programId',
  loader: async ({ context: { queries } }) => {
    await Promise.all([queries.ensureQueryData(programsQuery), queries.ensureQueryData(workspacesQuery)])
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const overview = createRoute({
  getParentRoute: () => program,
  path: '/',
  validateSearch: listSearch(['period', 'dateFrom', 'dateTo', 'metric']),
  // Whoever may not see the overview begins with the first screen that they may.
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
  component: lazyRouteComponent(() => import('~/pages/overview/overview.tsx'), 'Overview'),
})

const events = createRoute({
  getParentRoute: () => program,
  path: '/events',
  validateSearch: listSearch(['eventType', 'dateFrom', 'dateTo', 'partnerId', 'linkId', 'country', 'test', 'search']),
  component: lazyRouteComponent(() => import('~/pages/events/events.tsx'), 'Events'),
})

const customers = createRoute({
  getParentRoute: () => program,
  path: '/customers',
  validateSearch: listSearch(['status', 'partnerId', 'search']),
  component: lazyRouteComponent(() => import('~/pages/customers/customers.tsx'), 'Customers'),
})

const customer = createRoute({
  getParentRoute: () => program,
  path: '/customers/$customerId',
  component: lazyRouteComponent(() => import('~/pages/customers/customer.tsx'), 'Customer'),
})

const sales = createRoute({
  getParentRoute: () => program,
  path: '/sales',
  validateSearch: listSearch(['state', 'partnerId', 'dateFrom', 'dateTo', 'search']),
  component: lazyRouteComponent(() => import('~/pages/sales/sales.tsx'), 'Sales'),
})

const sale = createRoute({
  getParentRoute: () => program,
  path: '/sales/$saleId',
  component: lazyRouteComponent(() => import('~/pages/sales/sale.tsx'), 'Sale'),
})

const lead = createRoute({
  getParentRoute: () => program,
  path: '/leads/$leadId',
  component: lazyRouteComponent(() => import('~/pages/explain/lead.tsx'), 'Lead'),
})

const why = createRoute({
  getParentRoute: () => program,
  path: '/why',
  validateSearch: listSearch(['name']),
  component: lazyRouteComponent(() => import('~/pages/why/why.tsx'), 'Why'),
})

const processor = createRoute({
  getParentRoute: () => program,
  path: '/processor',
  validateSearch: listSearch(['fate', 'type', 'reason']),
  component: lazyRouteComponent(() => import('~/pages/processor/processor.tsx'), 'Processor'),
})

const partners = createRoute({
  getParentRoute: () => program,
  path: '/partners',
  validateSearch: listSearch(['status', 'search']),
  component: lazyRouteComponent(() => import('~/pages/partners/partners.tsx'), 'Partners'),
})

const links = createRoute({
  getParentRoute: () => program,
  path: '/links',
  validateSearch: listSearch(['partnerId', 'active', 'search']),
  component: lazyRouteComponent(() => import('~/pages/links/links.tsx'), 'Links'),
})

const setUp = createRoute({
  getParentRoute: () => program,
  path: '/set-up',
  validateSearch: listSearch(['processor']),
  component: lazyRouteComponent(() => import('~/pages/set-up/set-up.tsx'), 'SetUp'),
})

const partner = createRoute({
  getParentRoute: () => program,
  path: '/partners/$partnerId',
  validateSearch: listSearch(['period', 'dateFrom', 'dateTo', 'metric']),
  component: lazyRouteComponent(() => import('~/pages/partners/partner.tsx'), 'Partner'),
})

const commissions = createRoute({
  getParentRoute: () => program,
  path: '/commissions',
  validateSearch: listSearch(['state', 'partnerId']),
  component: lazyRouteComponent(() => import('~/pages/commissions/commissions.tsx'), 'Commissions'),
})

const payouts = createRoute({
  getParentRoute: () => program,
  path: '/payouts',
  validateSearch: listSearch(['view']),
  component: lazyRouteComponent(() => import('~/pages/payouts/payouts.tsx'), 'Payouts'),
})

const payout = createRoute({
  getParentRoute: () => program,
  path: '/payouts/$payoutId',
  component: lazyRouteComponent(() => import('~/pages/payouts/payout.tsx'), 'Payout'),
})

/** The bar with the screens of the settings stands above each of them. */
const settings = createRoute({
  getParentRoute: () => program,
  path: '/settings',
  component: lazyRouteComponent(() => import('~/pages/settings/settings-frame.tsx'), 'SettingsFrame'),
})

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/programs/$programId/settings/program', params, replace: true })
  },
})

const programSettings = createRoute({
  getParentRoute: () => settings,
  path: '/program',
  component: lazyRouteComponent(() => import('~/pages/settings/program-settings.tsx'), 'ProgramSettings'),
})

const rewards = createRoute({
  getParentRoute: () => settings,
  path: '/rewards',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('~/pages/settings/rewards/rewards.tsx'), 'Rewards'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('~/pages/api-keys/api-keys.tsx'), 'ApiKeys'),
})

const team = createRoute({
  getParentRoute: () => settings,
  path: '/team',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('~/pages/settings/team/team.tsx'), 'Team'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: listSearch(['search', 'userId']),
  component: lazyRouteComponent(() => import('~/pages/settings/audit-log.tsx'), 'AuditLog'),
})

const exports = createRoute({
  getParentRoute: () => settings,
  path: '/exports',
  validateSearch: listSearch(['dateFrom', 'dateTo']),
  component: lazyRouteComponent(() => import('~/pages/settings/exports.tsx'), 'Exports'),
})

/** Of the person, whatever program they are in. */
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('~/pages/account/account.tsx'), 'Account'),
})

const settingsScreens = [settingsHome, programSettings, rewards, apiKeys, team, audit, exports] as const
const moneyScreens = [partner, commissions, payouts, payout, settings.addChildren(settingsScreens)] as const

const portalHome = createRoute({
  getParentRoute: () => signedIn,
  path: '/portal',
  beforeLoad: async ({ context: { queries } }) => {
    const partnerships = await queries.ensureQueryData(portalProgramsQuery)
    const chosen = partnerships.find(({ programId }) => programId === lastPartnership()) ?? partnerships[0]
    if (chosen) throw redirect({ to: '/portal/$programId', params: { programId: String(chosen.programId) } })
  },
  component: lazyRouteComponent(() => import('~/pages/portal/no-partnership.tsx'), 'NoPartnership'),
})

const portal = createRoute({
  getParentRoute: () => signedIn,
  path: '/portal/$programId',
  loader: ({ context: { queries } }) => queries.ensureQueryData(portalProgramsQuery),
  component: lazyRouteComponent(() => import('~/pages/portal/portal-shell.tsx'), 'PortalShell'),
})

const portalOverview = createRoute({
  getParentRoute: () => portal,
  path: '/',
  validateSearch: listSearch(['period', 'dateFrom', 'dateTo', 'metric']),
  component: lazyRouteComponent(() => import('~/pages/portal/overview.tsx'), 'PortalOverview'),
})

const portalLinks = createRoute({
  getParentRoute: () => portal,
  path: '/links',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('~/pages/portal/links.tsx'), 'PortalLinks'),
})

const portalSales = createRoute({
  getParentRoute: () => portal,
  path: '/sales',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('~/pages/portal/sales.tsx'), 'PortalSales'),
})

const portalEarnings = createRoute({
  getParentRoute: () => portal,
  path: '/earnings',
  validateSearch: listSearch(['state']),
  component: lazyRouteComponent(() => import('~/pages/portal/earnings.tsx'), 'PortalEarnings'),
})

const portalPayouts = createRoute({
  getParentRoute: () => portal,
  path: '/payouts',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('~/pages/portal/payouts.tsx'), 'PortalPayouts'),
})

const tree = root.addChildren([
  signIn,
  signUp,
  invitation,
  partnerInvitation,
  application,
  signedIn.addChildren([
    home,
    welcome,
    account,
    portalHome,
    portal.addChildren([portalOverview, portalLinks, portalSales, portalEarnings, portalPayouts]),
    program.addChildren([
      overview,
      events,
      customers,
      customer,
      sales,
      sale,
      lead,
      why,
      processor,
      partners,
      links,
      setUp,
      ...moneyScreens,
    ]),
  ]),
])

export const createAppRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Pending,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
