import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { PageError, Pending } from './root.tsx'
import { entrances } from './routes/entrance.tsx'
import { portalScreens } from './routes/portal.tsx'
import { program, programScreens } from './routes/program.tsx'
import { settingsScreens } from './routes/settings.tsx'
import { personalScreens, root, signedIn } from './routes/signed-in.tsx'

/** Every screen there is, under what it takes to see it. */
const tree = root.addChildren([
  ...entrances,
  signedIn.addChildren([
    ...personalScreens,
    ...portalScreens,
    program.addChildren([...programScreens, settingsScreens]),
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
