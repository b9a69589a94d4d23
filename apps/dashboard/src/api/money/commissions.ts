import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  BulkResult,
  CommissionRow,
  commissionTotal,
  decideReviewRequest,
  reviewCount,
  voidCommissionRequest,
} from '@tributary/contract'
import type { z } from 'zod'
import { useBulk } from '../bulk.ts'
import { api, type List, type Query } from '../client.ts'
import { moneyKey } from './money-keys.ts'

export const useCommissions = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'commissions', query],
    queryFn: () => api.get<List<CommissionRow>>(`/api/programs/${programId}/commissions`, query),
    placeholderData: keepPreviousData,
  })

export type CommissionTotal = z.infer<typeof commissionTotal>

export const useCommissionTotals = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'totals', query],
    queryFn: async () =>
      (await api.get<{ data: CommissionTotal[] }>(`/api/programs/${programId}/commissions/totals`, query)).data,
    placeholderData: keepPreviousData,
  })

const NONE: z.infer<typeof reviewCount> = { count: 0, isMore: false }

/** Commissions waiting for a decision. Refreshed with everything else that events change (live.ts). */
export const useReviewCount = (programId: number, enabled = true) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'review count'],
    queryFn: async () =>
      (await api.get<{ data: typeof NONE }>(`/api/programs/${programId}/commissions/review-count`)).data,
    enabled,
  }).data ?? NONE

/** Sales, explanations, customers, partners and totals show commissions too. */
export const useInvalidateCommissions = (programId: number) => {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: moneyKey(programId) }),
      ...['sales', 'explain', 'customers', 'partners', 'tracking'].map((name) =>
        queries.invalidateQueries({ queryKey: [name, programId] }),
      ),
    ])
}

export const useDecideReview = (programId: number) => {
  const invalidate = useInvalidateCommissions(programId)
  return useMutation({
    mutationFn: async ({ id, ...form }: { id: number } & z.input<typeof decideReviewRequest>) =>
      (await api.post<{ data: CommissionRow }>(`/api/programs/${programId}/commissions/${id}/review`, form)).data,
    onSuccess: () => void invalidate(),
  })
}

export const useVoidCommission = (programId: number) => {
  const onSuccess = useInvalidateCommissions(programId)
  return useMutation({
    mutationFn: async ({ id, ...form }: { id: number } & z.input<typeof voidCommissionRequest>) =>
      (await api.post<{ data: CommissionRow }>(`/api/programs/${programId}/commissions/${id}/void`, form)).data,
    onSuccess,
  })
}

export type CommissionBulkAction = 'release' | 'reject' | 'void'

/** Reviews or voids many commissions, for one reason. */
export const useBulkCommissions = (programId: number) => {
  const invalidate = useInvalidateCommissions(programId)
  return useBulk<{ action: CommissionBulkAction; reason: string }>({
    run: async (ids, input) =>
      (await api.post<{ data: BulkResult }>(`/api/programs/${programId}/commissions/bulk`, { ids, ...input })).data,
    invalidate,
  })
}
