import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { signInRequest, signUpRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { sessionEnded } from './session-ended.ts'

export type SignedInUser = { id: string; name: string; email: string; createdAt: string }
type Session = { user: SignedInUser } | null

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => api.get<Session>('/api/auth/get-session'),
  staleTime: 60_000,
})

export const useSession = () => useQuery(sessionQuery)

/** After a change of who is signed in, nothing that was read before may be shown. */
export const useForgetEverything = () => {
  const queries = useQueryClient()
  return async () => {
    queries.clear()
    sessionEnded.set(false)
    await queries.fetchQuery(sessionQuery)
  }
}

export const useSignIn = () => {
  const forget = useForgetEverything()
  return useMutation({
    mutationFn: (form: z.input<typeof signInRequest>) => api.post('/api/auth/sign-in/email', form),
    onSuccess: forget,
  })
}

export const useSignUp = () => {
  const forget = useForgetEverything()
  return useMutation({
    mutationFn: (form: z.input<typeof signUpRequest>) => api.post('/api/auth/sign-up/email', form),
    onSuccess: forget,
  })
}

export const useSignOut = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/api/auth/sign-out'),
    onSuccess: () => queries.clear(),
  })
}
