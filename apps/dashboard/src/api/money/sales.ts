import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SaleRow, saleDetail } from '@tributary/contract'
import type { z } from 'zod'
import { api, type List, type Query } from '../client.ts'

export type SaleDetail = z.infer<typeof saleDetail>

export const useSales = (programId: number, query: Query) =>
  useQuery({
    queryKey: ['sales', programId, query],
    queryFn: () => api.get<List<SaleRow>>(`/api/programs/${programId}/sales`, query),
    placeholderData: keepPreviousData,
  })

export const useSale = (programId: number, saleId: string) =>
  useQuery({
    queryKey: ['sales', programId, 'one', saleId],
    queryFn: async () =>
      (await api.get<{ data: SaleDetail }>(`/api/programs/${programId}/sales/${encodeURIComponent(saleId)}`)).data,
  })
