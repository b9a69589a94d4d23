import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { programsQuery } from '~/api/programs.ts'
import { sessionQuery } from '~/api/session.ts'
import { workspacesQuery } from '~/api/workspaces.ts'
import { lastProgram } from './last-program.ts'
import { listSearch } from './list-search.ts'
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

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context: { queries } }) => {
    const programs = await queries.ensureQueryData(programsQuery)
    const program = programs.find(({ id }) => id === lastProgram()) ?? programs[0]
    if (!program) throw redirect({ to: '/welcome' })
    throw redirect({ to: '/programs/$programId', params: { programId: String(program.id) } })
  },
})

const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: '/welcome',
  validateSearch: (search: Record<string, unknown>): { workspace?: string } =>
    typeof search.workspace === 'string' ? { workspace: search.workspace } : {},
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

const apiKeys = createRoute({
  getParentRoute: () => program,
  path: '/settings/api-keys',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('~/pages/api-keys/api-keys.tsx'), 'ApiKeys'),
})

const tree = root.addChildren([
  signIn,
  signUp,
  invitation,
  signedIn.addChildren([
    home,
    welcome,
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
      apiKeys,
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
