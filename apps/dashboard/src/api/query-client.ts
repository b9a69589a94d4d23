import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isSessionEnded } from './client.ts'

const RETRIES = 2

/** Retry only transient errors; a rejected request is rejected again. */
const isTransient = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** Send requests even when the browser reports no network: the service may run on this machine, and a queued change would be sent late. */
const networkMode = 'always' as const

/** `onSignedOut` runs when the session ends while a page is open. */
export const createQueryClient = (onSignedOut: () => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'unauthenticated') onSignedOut()
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (isSessionEnded(error)) onSignedOut()
      },
    }),
    defaultOptions: {
      mutations: { networkMode },
      queries: {
        networkMode,
        // Events must be on a page within seconds.
        staleTime: 2_000,
        retry: (failures, error) => failures < RETRIES && isTransient(error),
        retryDelay: (attempt) => 400 * 2 ** attempt,
      },
    },
  })
