import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { createInvitationRequest, invitation, member, newInvitation, Role } from '@tributary/contract'
import type { z } from 'zod'
import { api, type List, type Query } from '../client.ts'
import { workspacesQuery } from './workspaces.ts'

export type Member = z.infer<typeof member>
export type Invitation = z.infer<typeof invitation>
export type NewInvitation = z.infer<typeof newInvitation>

const teamKey = (workspaceId: string) => ['team', workspaceId] as const

export const useMembers = (workspaceId: string, query: Query) =>
  useQuery({
    queryKey: [...teamKey(workspaceId), 'members', query],
    queryFn: () => api.get<List<Member>>(`/api/workspaces/${workspaceId}/members`, query),
    placeholderData: keepPreviousData,
  })

export const useInvitations = (workspaceId: string, query: Query) =>
  useQuery({
    queryKey: [...teamKey(workspaceId), 'invitations', query],
    queryFn: () => api.get<List<Invitation>>(`/api/workspaces/${workspaceId}/invitations`, query),
    placeholderData: keepPreviousData,
  })

const useTeamCall = <Form, Result>(workspaceId: string, mutationFn: (path: string, form: Form) => Promise<Result>) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (form: Form) => mutationFn(`/api/workspaces/${workspaceId}`, form),
    // A user who changes their own role gets other permissions.
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: teamKey(workspaceId) })
      void queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    },
  })
}

export const useInvite = (workspaceId: string) =>
  useTeamCall(
    workspaceId,
    async (path, form: z.input<typeof createInvitationRequest>) =>
      (await api.post<{ data: NewInvitation }>(`${path}/invitations`, form)).data,
  )

export const useWithdrawInvitation = (workspaceId: string) =>
  useTeamCall(workspaceId, (path, invitationId: string) => api.delete(`${path}/invitations/${invitationId}`))

export const useChangeRole = (workspaceId: string) =>
  useTeamCall(workspaceId, (path, { memberId, role }: { memberId: string; role: Role }) =>
    api.patch(`${path}/members/${memberId}`, { role }),
  )

export const useRemoveMember = (workspaceId: string) =>
  useTeamCall(workspaceId, (path, memberId: string) => api.delete(`${path}/members/${memberId}`))
