import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../lazy-screen.ts'
import { listSearch } from '../list-search.ts'
import { program } from './program.tsx'

/** The tabs of the place, above each of its lists. */
const linksPlace = createRoute({
  getParentRoute: () => program,
  id: 'links-place',
  component: lazyScreen(() => import('../shell/place-tabs.tsx'), 'PlaceTabs'),
})

const links = createRoute({
  getParentRoute: () => linksPlace,
  path: '/links',
  validateSearch: listSearch(['partnerId', 'status', 'search']),
  component: lazyScreen(() => import('~/pages/links/links.tsx'), 'Links'),
})

const codes = createRoute({
  getParentRoute: () => linksPlace,
  path: '/links/codes',
  validateSearch: listSearch(['partnerId', 'state', 'search']),
  component: lazyScreen(() => import('~/pages/codes/codes.tsx'), 'Codes'),
})

export const linkScreens = [linksPlace.addChildren([links, codes])] as const
