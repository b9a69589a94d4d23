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

const resources = createRoute({
  getParentRoute: () => program,
  path: '/resources',
  component: lazyScreen(() => import('~/pages/resources/resources.tsx'), 'Resources'),
})

const setUp = createRoute({
  getParentRoute: () => program,
  path: '/set-up',
  validateSearch: listSearch(['processor']),
  component: lazyScreen(() => import('~/pages/set-up/set-up.tsx'), 'SetUp'),
})

export const programScreens = [overview, analytics, resources, setUp] as const
