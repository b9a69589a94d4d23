import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Workspace } from '@tributary/contract'
import { instance } from '~/instance.ts'
import { call } from '../call.ts'

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  // One page is enough for every workspace a user belongs to.
  queryFn: async () => (await call('get /api/workspaces', { query: { pageSize: 200 } })).data,
  staleTime: 60_000,
})

export const useWorkspaces = () => useQuery(workspacesQuery)

/** With sign-up closed, only members who can invite people may. A user without a workspace may try; the service decides. */
export const mayCreateWorkspace = (workspaces: Workspace[]) =>
  instance.signUp === 'open' ||
  workspaces.length === 0 ||
  workspaces.some(({ permissions }) => permissions.includes('member:manage'))
