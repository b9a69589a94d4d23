import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  BalanceRow,
  createPayoutRequest,
  PayoutFileFormat,
  PayoutLineEvent,
  payout,
  payoutLine,
  payoutPreview,
  payoutSummary,
} from '@tributary/contract'
import type { z } from 'zod'
import { api, fetchFile, type List, type Query } from '../client.ts'
import { moneyKey } from './money-keys.ts'

export type Payout = z.infer<typeof payout>
export type PayoutLine = z.infer<typeof payoutLine>
export type PayoutSummary = z.infer<typeof payoutSummary>
export type PayoutPreview = z.infer<typeof payoutPreview>
export type NewPayout = z.input<typeof createPayoutRequest>
export type PayoutLabels = { note: string | null; reference: string | null }

export const useBalances = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'balances', query],
    queryFn: () => api.get<List<BalanceRow>>(`/api/programs/${programId}/balances`, query),
    placeholderData: keepPreviousData,
  })

/** What a payout created now would contain, and which positive balances it would leave out. */
export const usePayoutPreview = (programId: number) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'preview'],
    queryFn: async () =>
      (await api.get<{ data: PayoutPreview }>(`/api/programs/${programId}/payouts/preview`, { excluded: true })).data,
  })

export const usePayouts = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'payouts', query],
    queryFn: () => api.get<List<PayoutSummary>>(`/api/programs/${programId}/payouts`, query),
    placeholderData: keepPreviousData,
  })

export const usePayout = (programId: number, payoutId: string | number) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'payout', String(payoutId)],
    queryFn: async () => (await api.get<{ data: Payout }>(`/api/programs/${programId}/payouts/${payoutId}`)).data,
  })

export const usePayoutLines = (programId: number, payoutId: number, query: Query) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'payout', String(payoutId), 'lines', query],
    queryFn: () => api.get<List<PayoutLine>>(`/api/programs/${programId}/payouts/${payoutId}/lines`, query),
    placeholderData: keepPreviousData,
  })

/** Not awaited: the row's success message must show before the row disappears. */
export const useInvalidateMoney = (programId: number) => {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: moneyKey(programId) })
}

export const useCreatePayout = (programId: number) => {
  const onSuccess = useInvalidateMoney(programId)
  return useMutation({
    mutationFn: async (request: NewPayout) =>
      (await api.post<{ data: Payout }>(`/api/programs/${programId}/payouts`, request)).data,
    onSuccess,
  })
}

export const useChangePayout = (programId: number, payoutId: number) => {
  const onSuccess = useInvalidateMoney(programId)
  return useMutation({
    mutationFn: (labels: PayoutLabels) => api.patch(`/api/programs/${programId}/payouts/${payoutId}`, labels),
    onSuccess,
  })
}

export const usePayoutLineHistory = (programId: number, { payoutId, lineId }: { payoutId: number; lineId: number }) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'payout', String(payoutId), 'history', lineId],
    queryFn: async () => {
      const path = `/api/programs/${programId}/payouts/${payoutId}/lines/${lineId}/history`
      return (await api.get<List<PayoutLineEvent>>(path)).data
    },
  })

export type PayoutFile = { format: PayoutFileFormat; currency?: string | undefined }

export const useExportPayout = (programId: number, payoutId: number) => {
  const onSuccess = useInvalidateMoney(programId)
  return useMutation({
    mutationFn: (file: PayoutFile) => fetchFile(`/api/programs/${programId}/payouts/${payoutId}/export`, file),
    onSuccess,
  })
}

export const useResetPayoutLine = (programId: number, payoutId: number) => {
  const onSuccess = useInvalidateMoney(programId)
  return useMutation({
    mutationFn: (lineId: number) =>
      api.post<{ data: PayoutLine }>(`/api/programs/${programId}/payouts/${payoutId}/lines/${lineId}/reset`),
    onSuccess,
  })
}

export type LineDecision = {
  lineId: number
  status: 'paid' | 'failed'
  amountCents?: number
  reference?: string | undefined
  paidAt?: string | undefined
  note?: string | undefined
}

/** Sequential: if one is rejected, the earlier ones are saved and the later ones are not sent. */
export const useDecidePayoutLines = (programId: number, payoutId: number) => {
  const onSettled = useInvalidateMoney(programId)
  return useMutation({
    mutationFn: async (decisions: LineDecision[]) => {
      for (const { lineId, ...decision } of decisions)
        await api.post<{ data: PayoutLine }>(`/api/programs/${programId}/payouts/${payoutId}/lines/${lineId}`, decision)
    },
    onSettled,
  })
}
