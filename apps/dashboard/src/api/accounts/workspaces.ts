import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Workspace } from '@tributary/contract'
import { instance } from '~/instance.ts'
import { useChange } from '../call.ts'
import { api, type List } from '../client.ts'

/** One page is enough for every workspace a user belongs to. */
const ONE_PAGE = { pageSize: 200 }

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async () => (await api.get<List<Workspace>>('/api/workspaces', ONE_PAGE)).data,
  staleTime: 60_000,
})

export const useWorkspaces = () => useQuery(workspacesQuery)

export const useChangeSecurity = (workspaceId: string) =>
  useChange('put /api/workspaces/{workspaceId}/security', { workspaceId }, { changes: ['workspaces'] })

/** With sign-up closed, only members who can invite people may. A user without a workspace may try; the service decides. */
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
