import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Workspace } from '@tributary/contract'
import { api, type List } from './client.ts'

/** Nobody is a member of more workspaces than fit on a page. */
const ALL = { pageSize: 200 }

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async () => (await api.get<List<Workspace>>('/api/workspaces', ALL)).data,
  staleTime: 60_000,
})

export const useWorkspaces = () => useQuery(workspacesQuery)

export const useCreateWorkspace = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: { name: string }) => (await api.post<{ data: Workspace }>('/api/workspaces', form)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  })
}
