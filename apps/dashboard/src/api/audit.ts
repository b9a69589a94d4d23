import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { auditEntry } from '@tributary/contract'
import type { z } from 'zod'
import { api, type List, type Query } from './client.ts'

export type AuditEntry = z.infer<typeof auditEntry>

export const useAudit = (programId: number, query: Query) =>
  useQuery({
    queryKey: ['audit', programId, query],
    queryFn: () => api.get<List<AuditEntry>>(`/api/programs/${programId}/audit`, query),
    placeholderData: keepPreviousData,
  })
