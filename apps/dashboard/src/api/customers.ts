import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CustomerRow, customerDetail, erasure } from '@tributary/contract'
import type { z } from 'zod'
import { api, type List, type Query } from './client.ts'

export type CustomerDetail = z.infer<typeof customerDetail>

export const useCustomers = (programId: number, query: Query) =>
  useQuery({
    queryKey: ['customers', programId, query],
    queryFn: () => api.get<List<CustomerRow>>(`/api/programs/${programId}/customers`, query),
    placeholderData: keepPreviousData,
  })

/** Identified by click ID, which also exists for visitors who never became leads. Null loads nothing. */
export const useCustomer = (programId: number, clickId: string | null) =>
  useQuery({
    queryKey: ['customers', programId, 'one', clickId],
    queryFn: async () => {
      const path = `/api/programs/${programId}/customers/${encodeURIComponent(clickId ?? '')}`
      return (await api.get<{ data: CustomerDetail }>(path)).data
    },
    enabled: clickId !== null,
  })

/** Permanent. Lists, events and sales show the erased name, so refetch everything. */
export const useEraseCustomer = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (clickId: string) =>
      (await api.post<{ data: z.infer<typeof erasure> }>(`/api/programs/${programId}/customers/erase`, { clickId }))
        .data,
    onSuccess: () => void queries.invalidateQueries(),
  })
}
