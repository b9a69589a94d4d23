import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { sessionQuery } from '~/api/accounts/session.ts'
import { workspacesQuery } from '~/api/accounts/workspaces.ts'
import { portalProgramsQuery } from '~/api/portal.ts'
import { programsQuery } from '~/api/programs.ts'
import { instance } from '~/instance.ts'
import { lastProgram } from '../last-program.ts'
import { lazyScreen } from '../lazy-screen.ts'
import { NotFound, Root } from '../root.tsx'

type Context = { queries: QueryClient }

export const root = createRootRouteWithContext<Context>()({ component: Root, notFoundComponent: NotFound })

/** Requires a session. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { queries }, location }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    // Nobody can sign in to an empty service.
    if (!session && instance.signUp === 'first') throw redirect({ to: '/sign-up' })
    if (!session) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
    return { user: session.user }
  },
})

/** Partners without a workspace see the portal only. */
const isOnlyPartner = async (queries: QueryClient) => {
  const [partnerships, workspaces] = await Promise.all([
    queries.ensureQueryData(portalProgramsQuery),
    queries.ensureQueryData(workspacesQuery),
  ])
  return partnerships.data.length > 0 && workspaces.length === 0
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
  loader: ({ context: { queries } }) =>
    Promise.all([queries.ensureQueryData(workspacesQuery), queries.ensureQueryData(programsQuery)]),
  component: lazyScreen(() => import('~/pages/welcome/welcome.tsx'), 'Welcome'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: (search: Record<string, unknown>): { from?: 'portal' } =>
    search.from === 'portal' ? { from: 'portal' } : {},
  component: lazyScreen(() => import('~/pages/account/account.tsx'), 'Account'),
})

/** From the links in the emails about a change of address. */
const accountEmail = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/email',
  validateSearch: ({ step, token = '' }: Record<string, unknown>) => ({
    step: step === 'confirm' ? ('confirm' as const) : ('approve' as const),
    token: String(token),
  }),
  component: lazyScreen(() => import('~/pages/account/confirm-email.tsx'), 'ConfirmEmail'),
})

/** Screens of the user, independent of the program. */
export const personalScreens = [home, welcome, account, accountEmail] as const
