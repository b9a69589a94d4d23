import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  accountSession,
  changeEmailRequest,
  changePasswordRequest,
  confirmEmailRequest,
  EmailChange,
} from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { sessionQuery } from './session.ts'

export type AccountSession = z.infer<typeof accountSession>
type Current = { session: { id: string } } | null

const SESSIONS = ['sessions']

/** All sessions of the user, with the current browser marked. */
export const useAccountSessions = () =>
  useQuery({
    queryKey: SESSIONS,
    queryFn: async () => {
      const [sessions, current] = await Promise.all([
        api.get<AccountSession[]>('/api/auth/list-sessions'),
        api.get<Current>('/api/auth/get-session'),
      ])
      return sessions
        .map((session) => ({ ...session, isCurrent: session.id === current?.session.id }))
        .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.updatedAt.localeCompare(a.updatedAt))
    },
  })

const useAccountCall = <Form, Answer = unknown>(path: string) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (form: Form) => api.post<Answer>(`/api/auth/${path}`, form ?? {}),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: SESSIONS })
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
}

export const useRename = () => useAccountCall<{ name: string }>('update-user')
export const useChangePassword = () => useAccountCall<z.input<typeof changePasswordRequest>>('change-password')
type Changed = { data: EmailChange }
export const useChangeEmail = () => useAccountCall<z.input<typeof changeEmailRequest>, Changed>('change-email')
export const useConfirmEmail = () =>
  useAccountCall<z.input<typeof confirmEmailRequest>, Changed>('change-email/confirm')
export const useRevokeSession = () => useAccountCall<{ token: string }>('revoke-session')

/** Drops every cached response, like signing out. */
export const useSignOutEverywhere = () => {
  const queries = useQueryClient()
  return useMutation({ mutationFn: () => api.post('/api/auth/revoke-sessions'), onSuccess: () => queries.clear() })
}
