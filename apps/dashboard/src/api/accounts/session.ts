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

/** Drops every cached response, so the next user never sees the previous user's data. */
export const useResetSession = () => {
  const queries = useQueryClient()
  return async () => {
    queries.clear()
    sessionEnded.set(false)
    await queries.fetchQuery(sessionQuery)
  }
}

export const useSignIn = () => {
  const resetSession = useResetSession()
  return useMutation({
    mutationFn: (form: z.input<typeof signInRequest>) => api.post('/api/auth/sign-in/email', form),
    onSuccess: resetSession,
  })
}

export const useSignUp = () => {
  const resetSession = useResetSession()
  return useMutation({
    mutationFn: (form: z.input<typeof signUpRequest>) => api.post('/api/auth/sign-up/email', form),
    onSuccess: resetSession,
  })
}

export const useSignOut = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.post('/api/auth/sign-out'),
    onSuccess: () => queries.clear(),
  })
}
