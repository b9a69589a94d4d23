import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

const RETRIES = 2

/** A refusal stays a refusal however often one asks; only bad weather is worth another try. */
const mayPass = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** `onSignedOut` is called when the session has ended under an open page. */
export const createQueryClient = (onSignedOut: () => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'unauthenticated') onSignedOut()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) => failures < RETRIES && mayPass(error),
        retryDelay: (attempt) => 400 * 2 ** attempt,
      },
    },
  })
