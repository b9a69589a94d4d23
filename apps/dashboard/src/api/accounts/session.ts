import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  confirmLinkRequest,
  requestLinkRequest,
  signInRequest,
  signUpRequest,
  startSignOnRequest,
  verifySecondFactorRequest,
} from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { sessionEnded } from './session-ended.ts'

export type SignedInUser = { id: string; name: string; email: string; createdAt: string }
type Session = {
  user: SignedInUser & { twoFactorEnabled?: boolean }
  session: { secondFactorAt?: string | null }
} | null

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => api.get<Session>('/api/auth/get-session'),
  staleTime: 60_000,
})

export const useSession = () => useQuery(sessionQuery)

/** Whether this session was opened with a second factor. The service enforces it where a workspace requires it. */
export const useHasSecondFactor = () => {
  const { data } = useSession()
  return Boolean(data?.user.twoFactorEnabled && data.session.secondFactorAt)
}

/** Drops every cached response, so the next user never sees the previous user's data. */
export const useResetSession = () => {
  const queries = useQueryClient()
  return async () => {
    queries.clear()
    sessionEnded.set(false)
    await queries.fetchQuery(sessionQuery)
  }
}

/** With two-factor sign-in, the first step answers `twoFactorRequired` and opens no session yet. */
export type SignInAnswer = { twoFactorRequired?: true }

const useSignInStep = <Form>(path: string) => {
  const resetSession = useResetSession()
  return useMutation({
    mutationFn: (form: Form) => api.post<SignInAnswer>(`/api/auth/${path}`, form),
    onSuccess: ({ twoFactorRequired }) => (twoFactorRequired ? undefined : resetSession()),
  })
}

export type SecondFactor = z.input<typeof verifySecondFactorRequest>

export const useSignIn = () => useSignInStep<z.input<typeof signInRequest>>('sign-in/email')
export const useConfirmLink = () => useSignInStep<z.input<typeof confirmLinkRequest>>('sign-in/link/confirm')
export const useVerifySecondFactor = () => useSignInStep<SecondFactor>('two-factor/verify')

/** Leaves the dashboard for the identity provider. */
export const useStartSignOn = () =>
  useMutation({
    mutationFn: (form: z.input<typeof startSignOnRequest>) =>
      api.post<{ data: { url: string } }>('/api/auth/sign-in/oidc', form),
    onSuccess: ({ data: { url } }) => location.assign(url),
  })

export const useRequestLink = () =>
  useMutation({
    mutationFn: (form: z.input<typeof requestLinkRequest>) => api.post('/api/auth/sign-in/link', form),
  })

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
