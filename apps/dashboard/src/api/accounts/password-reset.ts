import { useMutation } from '@tanstack/react-query'
import type { requestResetRequest, resetPasswordRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { useForgetEverything } from './session.ts'

export const useRequestReset = () =>
  useMutation({
    mutationFn: (form: z.input<typeof requestResetRequest>) => api.post('/api/auth/request-password-reset', form),
  })

/** Ends every session of the person, this browser's too. */
export const useResetPassword = () => {
  const forget = useForgetEverything()
  return useMutation({
    mutationFn: (form: z.input<typeof resetPasswordRequest>) => api.post('/api/auth/reset-password', form),
    onSuccess: forget,
  })
}
