import { lazyRouteComponent } from '@tanstack/react-router'
import { rethrowLoadError } from '~/api/fetch-screen.ts'

export const lazyScreen: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(() => importer().catch(rethrowLoadError), name)
