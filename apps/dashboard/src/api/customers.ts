import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { erasure } from '@tributary/contract'
import type { z } from 'zod'
import { api } from './client.ts'

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
