import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { applicationPage, applyRequest, partnerSignUpRequest, portalApplyRequest } from '@tributary/contract'
import type { z } from 'zod'
import { useResetSession } from '../accounts/session.ts'
import { api } from '../client.ts'
import type { PortalProgram } from '../portal.ts'

export type ApplicationPage = z.infer<typeof applicationPage>

/** Creates the partner's account. The invitation already contains their email address. */
export const usePartnerSignUp = (invitationId: string) => {
  const resetSession = useResetSession()
  return useMutation({
    mutationFn: (form: z.input<typeof partnerSignUpRequest>) =>
      api.post(`/api/public/partner-invitations/${invitationId}/sign-up`, form),
    onSuccess: resetSession,
  })
}

export const useAcceptPartnerInvitation = (invitationId: string) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (agreementVersion: number | undefined) =>
      (await api.post<{ data: PortalProgram }>(`/api/portal/invitations/${invitationId}/accept`, { agreementVersion }))
        .data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['portal'] }),
  })
}

export const useApplicationPage = (programId: string) =>
  useQuery({
    queryKey: ['application', programId],
    queryFn: async () =>
      (await api.get<{ data: ApplicationPage }>(`/api/public/programs/${programId}/application`)).data,
  })

export const useApply = (programId: number) =>
  useMutation({
    mutationFn: (form: z.input<typeof applyRequest>) => api.post(`/api/public/programs/${programId}/apply`, form),
  })

/** For a signed-in user: the service already knows their name and email. */
export const useApplyWithAccount = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: z.input<typeof portalApplyRequest>) =>
      (await api.post<{ data: PortalProgram }>(`/api/portal/programs/${programId}/apply`, form)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['portal'] }),
  })
}
