import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { PageError, Pending } from './root.tsx'
import { linkScreens } from './routes/links.tsx'
import { moneyScreens } from './routes/money.tsx'
import { moved } from './routes/moved.tsx'
import { partnerScreens } from './routes/partners.tsx'
import { portalScreens } from './routes/portal.tsx'
import { program, programScreens } from './routes/program.tsx'
import { publicScreens } from './routes/public.tsx'
import { salesScreens } from './routes/sales.tsx'
import { settingsScreens } from './routes/settings.tsx'
import { personalScreens, root, signedIn } from './routes/signed-in.tsx'
import { parseSearch, stringifySearch } from './search-text.ts'

/** Every screen, grouped by the access it requires. */
const tree = root.addChildren([
  ...publicScreens,
  signedIn.addChildren([
    ...personalScreens,
    ...portalScreens,
    program.addChildren([
      ...programScreens,
      ...linkScreens,
      ...partnerScreens,
      ...salesScreens,
      ...moneyScreens,
      settingsScreens,
      moved,
    ]),
  ]),
])

export const createAppRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queries },
    parseSearch,
    stringifySearch,
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
