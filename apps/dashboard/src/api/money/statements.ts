import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MerchantDetails, merchantDetailsRequest, Statement } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'

type Line = { payoutId: string; lineId: string }

export const useStatement = (programId: number, { payoutId, lineId }: Line) =>
  useQuery({
    queryKey: ['statement', programId, payoutId, lineId],
    queryFn: async () => {
      const path = `/api/programs/${programId}/payouts/${payoutId}/lines/${lineId}/statement`
      return (await api.get<{ data: Statement }>(path)).data
    },
  })

const detailsKey = (programId: number) => ['legal-details', programId] as const
const detailsPath = (programId: number) => `/api/programs/${programId}/legal-details`

export const useMerchantDetails = (programId: number) =>
  useQuery({
    queryKey: detailsKey(programId),
    queryFn: async () => (await api.get<{ data: MerchantDetails | null }>(detailsPath(programId))).data,
  })

export const useSetMerchantDetails = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: z.input<typeof merchantDetailsRequest>) =>
      (await api.put<{ data: MerchantDetails }>(detailsPath(programId), form)).data,
    onSuccess: (details) => queries.setQueryData(detailsKey(programId), details),
  })
}
