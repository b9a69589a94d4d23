import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { openInvitation, Workspace } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'

export type OpenInvitation = z.infer<typeof openInvitation>

export const useInvitation = (invitationId: string) =>
  useQuery({
    queryKey: ['invitation', invitationId],
    queryFn: async () => (await api.get<{ data: OpenInvitation }>(`/api/invitations/${invitationId}`)).data,
  })

export const useAcceptInvitation = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (invitationId: string) =>
      (await api.post<{ data: Workspace }>(`/api/invitations/${invitationId}/accept`)).data,
    onSuccess: () => queries.invalidateQueries(),
  })
}
