import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { AdjustmentPreview, AdjustmentRequest, AdjustmentRow } from '@tributary/contract'
import { api, type List, type Query } from '../client.ts'
import { useInvalidateCommissions } from './commissions.ts'
import { moneyKey } from './money-keys.ts'

const path = (programId: number) => `/api/programs/${programId}/adjustments`

export const useAdjustments = (programId: number, query: Query, enabled = true) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'adjustments', query],
    queryFn: () => api.get<List<AdjustmentRow>>(path(programId), query),
    placeholderData: keepPreviousData,
    enabled,
  })

export const useAdjust = (programId: number) => {
  const onSuccess = useInvalidateCommissions(programId)
  return useMutation({
    mutationFn: async (request: AdjustmentRequest) =>
      (await api.post<{ data: AdjustmentRow }>(path(programId), request)).data,
    onSuccess,
  })
}

/** What the adjustment would change; null until everything but the reason is chosen. */
export const usePreview = (programId: number, request: AdjustmentRequest | null) =>
  useQuery({
    // Not a money key: once the adjustment is made, the preview would refuse to make it again.
    queryKey: ['adjustment preview', programId, request],
    queryFn: async () =>
      (await api.post<{ data: AdjustmentPreview }>(`${path(programId)}/preview`, request)).data.changes,
    enabled: request !== null,
    retry: false,
    gcTime: 0,
  })

export const useUndoAdjustment = (programId: number) => {
  const onSuccess = useInvalidateCommissions(programId)
  return useMutation({
    mutationFn: async ({ id, reason }: { id: number; reason: string }) =>
      (await api.post<{ data: AdjustmentRow }>(`${path(programId)}/${id}/reverse`, { reason })).data,
    onSuccess,
  })
}
