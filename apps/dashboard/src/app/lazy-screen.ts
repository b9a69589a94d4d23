import { lazyRouteComponent } from '@tanstack/react-router'
import { orSayWhy } from '~/api/fetch-screen.ts'

/** A screen is fetched when somebody goes there. */
export const lazyScreen: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(() => importer().catch(orSayWhy), name)
