import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiKey, createdApiKey, rotatedApiKey } from '@tributary/contract'
import type { z } from 'zod'
import { api, type List, type Query } from './client.ts'

const keysKey = (programId: number) => ['api-keys', programId] as const

export const useApiKeys = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...keysKey(programId), query],
    queryFn: () => api.get<List<ApiKey>>(`/api/programs/${programId}/api-keys`, query),
    placeholderData: keepPreviousData,
  })

/** The response contains the full key, this one time; nothing caches it. */
export const useCreateApiKey = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: { name: string }) =>
      (await api.post<{ data: z.infer<typeof createdApiKey> }>(`/api/programs/${programId}/api-keys`, form)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: keysKey(programId) }),
    gcTime: 0,
  })
}

export const useRevokeApiKey = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (keyId: string) => api.delete<{ data: ApiKey }>(`/api/programs/${programId}/api-keys/${keyId}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: keysKey(programId) }),
  })
}

/** The old key keeps working for the grace period. */
export const useRotateApiKey = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, graceMinutes }: { id: string; graceMinutes: number }) =>
      (
        await api.post<{ data: z.infer<typeof rotatedApiKey> }>(`/api/programs/${programId}/api-keys/${id}/rotate`, {
          graceMinutes,
        })
      ).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: keysKey(programId) }),
    gcTime: 0,
  })
}
