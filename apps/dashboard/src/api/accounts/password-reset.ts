import { useMutation } from '@tanstack/react-query'
import type { requestResetRequest, resetPasswordRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { useResetSession } from './session.ts'

export const useRequestReset = () =>
  useMutation({
    mutationFn: (form: z.input<typeof requestResetRequest>) => api.post('/api/auth/request-password-reset', form),
  })

/** Also ends every session of the user, including this browser's. */
export const useResetPassword = () => {
  const resetSession = useResetSession()
  return useMutation({
    mutationFn: (form: z.input<typeof resetPasswordRequest>) => api.post('/api/auth/reset-password', form),
    onSuccess: resetSession,
  })
}
