import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangeLink, createLinkRequest, LinkRow, ReferralLink } from '@tributary/contract'
import type { z } from 'zod'
import { resultOf, useBulk } from './bulk.ts'
import { api, type List, type Query } from './client.ts'

export const linksKey = (programId: number) => ['links', programId] as const

export const useLinks = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...linksKey(programId), query],
    queryFn: () => api.get<List<LinkRow>>(`/api/programs/${programId}/links`, query),
    placeholderData: keepPreviousData,
  })

export const useCreateLink = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: z.input<typeof createLinkRequest>) =>
      (await api.post<{ data: ReferralLink }>(`/api/programs/${programId}/links`, form)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: linksKey(programId) }),
  })
}

export const useChangeLink = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, ...change }: { id: number } & ChangeLink) =>
      (await api.patch<{ data: ReferralLink }>(`/api/programs/${programId}/links/${id}`, change)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: linksKey(programId) }),
  })
}

export const useChangeLinks = (programId: number) => {
  const queries = useQueryClient()
  return useBulk<{ active: boolean }>({
    run: async (ids, { active }) => {
      const { data } = await api.patch<{ data: { changed: number } }>(`/api/programs/${programId}/links`, {
        ids,
        active,
      })
      const reason = `already ${active ? 'enabled' : 'disabled'}`
      return resultOf({ asked: ids.length, done: data.changed, reason })
    },
    invalidate: () => queries.invalidateQueries({ queryKey: linksKey(programId) }),
  })
}
