import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Workspace } from '@tributary/contract'
import { instance } from '~/instance.ts'
import { api, type List } from '../client.ts'

/** Nobody is a member of more workspaces than fit on a page. */
const ALL = { pageSize: 200 }

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async () => (await api.get<List<Workspace>>('/api/workspaces', ALL)).data,
  staleTime: 60_000,
})

export const useWorkspaces = () => useQuery(workspacesQuery)

/** Where sign-up is closed, for those who may invite people; who has no workspace yet learns it from the service. */
export const mayCreateWorkspace = (workspaces: Workspace[]) =>
  instance.signUp === 'open' ||
  workspaces.length === 0 ||
  workspaces.some(({ permissions }) => permissions.includes('member:manage'))

export const useCreateWorkspace = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: { name: string }) => (await api.post<{ data: Workspace }>('/api/workspaces', form)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  })
}
