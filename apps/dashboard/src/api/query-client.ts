import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, saysSessionEnded } from './client.ts'

const RETRIES = 2

/** A refusal stays a refusal however often one asks; only bad weather is worth another try. */
const mayPass = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/**
 * Never wait in silence for a network: the service may run on this very machine, and if it cannot be reached that is to be
 * said. A change that is kept back would be sent at a moment when nobody expects it any more.
 */
const networkMode = 'always' as const

/** `onSignedOut` is called when the session has ended under an open page. */
export const createQueryClient = (onSignedOut: () => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'unauthenticated') onSignedOut()
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (saysSessionEnded(error)) onSignedOut()
      },
    }),
    defaultOptions: {
      mutations: { networkMode },
      queries: {
        networkMode,
        staleTime: 15_000,
        retry: (failures, error) => failures < RETRIES && mayPass(error),
        retryDelay: (attempt) => 400 * 2 ** attempt,
      },
    },
  })
