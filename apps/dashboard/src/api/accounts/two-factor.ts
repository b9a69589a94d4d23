import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  changeTwoFactorRequest,
  confirmTwoFactorRequest,
  enableTwoFactorRequest,
  TwoFactorSecret,
  TwoFactorState,
} from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { sessionQuery } from './session.ts'

const TWO_FACTOR = ['two-factor']
const PATH = '/api/auth/two-factor'

export const useTwoFactor = () =>
  useQuery({ queryKey: TWO_FACTOR, queryFn: async () => (await api.get<{ data: TwoFactorState }>(PATH)).data })

/** Returns the secret; nothing changes before the first code is confirmed. */
export const useStartTwoFactor = () =>
  useMutation({
    mutationFn: async (form: z.input<typeof enableTwoFactorRequest>) =>
      (await api.post<{ data: TwoFactorSecret }>(`${PATH}/enable`, form)).data,
  })

/** The caller refreshes when the user has closed the dialog: it shows recovery codes that cannot be loaded again. */
export const useRefreshTwoFactor = () => {
  const queries = useQueryClient()
  return () => {
    for (const queryKey of [TWO_FACTOR, sessionQuery.queryKey, ['sessions']])
      void queries.invalidateQueries({ queryKey })
  }
}

export const useConfirmTwoFactor = () =>
  useMutation({ mutationFn: (form: z.input<typeof confirmTwoFactorRequest>) => api.post(`${PATH}/confirm`, form) })

type Change = z.input<typeof changeTwoFactorRequest>

export const useReplaceRecoveryCodes = () =>
  useMutation({
    mutationFn: async (form: Change) =>
      (await api.post<{ data: { recoveryCodes: string[] } }>(`${PATH}/recovery-codes`, form)).data.recoveryCodes,
  })

export const useTurnOffTwoFactor = () =>
  useMutation({ mutationFn: (form: Change) => api.post(`${PATH}/disable`, form) })
