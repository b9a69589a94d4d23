import { createRoute, redirect } from '@tanstack/react-router'
import { portalProgramsQuery } from '~/api/portal.ts'
import { lastPartnership } from '../last-program.ts'
import { lazyScreen } from '../lazy-screen.ts'
import { listSearch } from '../list-search.ts'
import { signedIn } from './signed-in.tsx'

const portalHome = createRoute({
  getParentRoute: () => signedIn,
  path: '/portal',
  beforeLoad: async ({ context: { queries } }) => {
    const { data: partnerships } = await queries.ensureQueryData(portalProgramsQuery)
    const last = partnerships.find(({ programId }) => programId === lastPartnership())
    if (!last && partnerships.length > 1) throw redirect({ to: '/portal/programs' })
    const chosen = last ?? partnerships[0]
    if (chosen) throw redirect({ to: '/portal/$programId', params: { programId: String(chosen.programId) } })
  },
  component: lazyScreen(() => import('~/pages/portal/shell/no-partnership.tsx'), 'NoPartnership'),
})

const portalPrograms = createRoute({
  getParentRoute: () => signedIn,
  path: '/portal/programs',
  loader: ({ context: { queries } }) => queries.ensureQueryData(portalProgramsQuery),
  component: lazyScreen(() => import('~/pages/portal/programs/programs.tsx'), 'PortalPrograms'),
})

const portal = createRoute({
  getParentRoute: () => signedIn,
  path: '/portal/$programId',
  loader: ({ context: { queries } }) => queries.ensureQueryData(portalProgramsQuery),
  component: lazyScreen(() => import('~/pages/portal/shell/portal-shell.tsx'), 'PortalShell'),
})

const portalOverview = createRoute({
  getParentRoute: () => portal,
  path: '/',
  validateSearch: listSearch(['period', 'dateFrom', 'dateTo', 'metric', 'compare']),
  component: lazyScreen(() => import('~/pages/portal/overview/overview.tsx'), 'PortalOverview'),
})

const portalLinks = createRoute({
  getParentRoute: () => portal,
  path: '/links',
  validateSearch: listSearch(['search']),
  component: lazyScreen(() => import('~/pages/portal/links.tsx'), 'PortalLinks'),
})

const portalSales = createRoute({
  getParentRoute: () => portal,
  path: '/sales',
  validateSearch: listSearch(['dateFrom', 'dateTo']),
  component: lazyScreen(() => import('~/pages/portal/sales.tsx'), 'PortalSales'),
})

const portalEarnings = createRoute({
  getParentRoute: () => portal,
  path: '/earnings',
  validateSearch: listSearch(['state']),
  component: lazyScreen(() => import('~/pages/portal/earnings.tsx'), 'PortalEarnings'),
})

const portalPayouts = createRoute({
  getParentRoute: () => portal,
  path: '/payouts',
  validateSearch: listSearch(['status']),
  component: lazyScreen(() => import('~/pages/portal/payouts.tsx'), 'PortalPayouts'),
})

const portalResources = createRoute({
  getParentRoute: () => portal,
  path: '/resources',
  component: lazyScreen(() => import('~/pages/portal/resources.tsx'), 'PortalResources'),
})

const portalAgreement = createRoute({
  getParentRoute: () => portal,
  path: '/agreement',
  component: lazyScreen(() => import('~/pages/portal/agreement.tsx'), 'PortalAgreement'),
})

const portalNotifications = createRoute({
  getParentRoute: () => portal,
  path: '/notifications',
  component: lazyScreen(() => import('~/pages/portal/notifications.tsx'), 'PortalNotifications'),
})

const portalStatement = createRoute({
  getParentRoute: () => portal,
  path: '/payouts/$lineId/statement',
  component: lazyScreen(() => import('~/pages/portal/statement.tsx'), 'PortalStatement'),
})

export const portalScreens = [
  portalHome,
  portalPrograms,
  portal.addChildren([
    portalOverview,
    portalLinks,
    portalSales,
    portalEarnings,
    portalPayouts,
    portalResources,
    portalAgreement,
    portalNotifications,
    portalStatement,
  ]),
] as const
