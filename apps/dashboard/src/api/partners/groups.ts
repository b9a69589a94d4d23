import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { changeGroupRequest, createGroupRequest, Group } from '@tributary/contract'
import type { z } from 'zod'
import { resultOf, useBulk } from '../bulk.ts'
import { api, type List } from '../client.ts'
import { moneyKey } from '../money/money-keys.ts'

export type GroupForm = z.input<typeof createGroupRequest>

const groupsPath = (programId: number) => `/api/programs/${programId}/groups`

const groupsQuery = (programId: number) =>
  queryOptions({
    queryKey: ['groups', programId],
    queryFn: () => api.get<List<Group>>(groupsPath(programId)),
  })

export const useGroups = (programId: number) => useQuery(groupsQuery(programId))

/** Partners, the program's reward and the audit log show groups too. */
const useInvalidateGroups = (programId: number) => {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      ...['groups', 'partners', 'audit'].map((name) => queries.invalidateQueries({ queryKey: [name, programId] })),
      queries.invalidateQueries({ queryKey: moneyKey(programId) }),
    ])
}

export const useSaveGroup = (programId: number, id: number | null) => {
  const onSuccess = useInvalidateGroups(programId)
  return useMutation({
    mutationFn: async (form: GroupForm & z.input<typeof changeGroupRequest>) =>
      (id === null
        ? await api.post<{ data: Group }>(groupsPath(programId), form)
        : await api.patch<{ data: Group }>(`${groupsPath(programId)}/${id}`, form)
      ).data,
    onSuccess,
  })
}

export const useDeleteGroup = (programId: number, id: number) => {
  const onSuccess = useInvalidateGroups(programId)
  return useMutation({ mutationFn: () => api.delete(`${groupsPath(programId)}/${id}`), onSuccess })
}

export const useMovePartners = (programId: number) => {
  const invalidate = useInvalidateGroups(programId)
  return useBulk<number>({
    run: async (partnerIds, groupId) => {
      const path = `${groupsPath(programId)}/${groupId}/partners`
      const { data } = await api.post<{ data: { moved: number } }>(path, { partnerIds })
      return resultOf({ asked: partnerIds.length, done: data.moved, reason: 'already in this group' })
    },
    invalidate,
  })
}
