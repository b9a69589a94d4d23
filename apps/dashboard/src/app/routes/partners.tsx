import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '../lazy-screen.ts'
import { listSearch } from '../list-search.ts'
import { program } from './program.tsx'

/** The tabs of the place, above each of its lists. */
const partnersPlace = createRoute({
  getParentRoute: () => program,
  id: 'partners-place',
  component: lazyScreen(() => import('../shell/place-tabs.tsx'), 'PlaceTabs'),
})

const partners = createRoute({
  getParentRoute: () => partnersPlace,
  path: '/partners',
  validateSearch: listSearch(['status', 'search', 'groupId']),
  // Applications were a filter of this list.
  beforeLoad: ({ location, params }) => {
    const { status, groupId: _, ...search } = location.search as Record<string, string>
    if (status === 'pending')
      throw redirect({ to: '/programs/$programId/partners/applications', params, search, replace: true })
  },
  component: lazyScreen(() => import('~/pages/partners/partners.tsx'), 'Partners'),
})

const groups = createRoute({
  getParentRoute: () => partnersPlace,
  path: '/partners/groups',
  component: lazyScreen(() => import('~/pages/groups/groups.tsx'), 'Groups'),
})

const applications = createRoute({
  getParentRoute: () => partnersPlace,
  path: '/partners/applications',
  validateSearch: listSearch(['search']),
  component: lazyScreen(() => import('~/pages/partners/applications.tsx'), 'Applications'),
})

const partner = createRoute({
  getParentRoute: () => program,
  path: '/partners/$partnerId',
  validateSearch: listSearch(['period', 'dateFrom', 'dateTo', 'metric', 'back']),
  component: lazyScreen(() => import('~/pages/partners/partner/partner.tsx'), 'Partner'),
})

export const partnerScreens = [partnersPlace.addChildren([partners, groups, applications]), partner] as const
