import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  BulkResult,
  changePartnerRequest,
  createPartnerRequest,
  decideApplicationsRequest,
  decidedApplications,
  invitePartnerRequest,
  PARTNER_BULK_ACTIONS,
  PartnerRow,
  partnerDetail,
  partnerInvitation,
  WrittenPartner,
} from '@tributary/contract'
import type { z } from 'zod'
import { resultOf, useBulk } from '../bulk.ts'
import { api, type List, type Query } from '../client.ts'
import { linksKey } from '../links.ts'
import { moneyKey } from '../money/money-keys.ts'
import { trackingKeys } from '../tracking.ts'

const partnersKey = (programId: number) => ['partners', programId] as const

export const usePartners = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...partnersKey(programId), query],
    queryFn: () => api.get<List<PartnerRow>>(`/api/programs/${programId}/partners`, query),
    placeholderData: keepPreviousData,
  })

/** Applications waiting for approval. Not polled: refetched when a partner changes or the window regains focus. */
export const useApplicationCount = (programId: number, enabled = true) =>
  useQuery({
    queryKey: [...partnersKey(programId), 'to approve'],
    queryFn: async () => {
      const query = { status: 'pending', pageSize: 1 }
      const { meta } = await api.get<List<PartnerRow>>(`/api/programs/${programId}/partners`, query)
      return meta.pagination.total
    },
    enabled,
  }).data ?? 0

const useInvalidatePartners = (programId: number) => {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: partnersKey(programId) }),
      queries.invalidateQueries({ queryKey: trackingKeys.setUp(programId) }),
      // Archiving a partner changes the state of their links.
      queries.invalidateQueries({ queryKey: linksKey(programId) }),
      // A partner's status determines which amounts are held, payable and excluded.
      queries.invalidateQueries({ queryKey: moneyKey(programId) }),
    ])
}

export const useCreatePartner = (programId: number) => {
  const onSuccess = useInvalidatePartners(programId)
  return useMutation({
    mutationFn: async (form: z.input<typeof createPartnerRequest>) =>
      (await api.post<{ data: WrittenPartner }>(`/api/programs/${programId}/partners`, form)).data,
    onSuccess,
  })
}

export const useChangePartner = (programId: number) => {
  const onSuccess = useInvalidatePartners(programId)
  return useMutation({
    mutationFn: async ({ id, ...change }: { id: number } & z.input<typeof changePartnerRequest>) =>
      (await api.patch<{ data: WrittenPartner }>(`/api/programs/${programId}/partners/${id}`, change)).data,
    onSuccess,
  })
}

export type PartnerBulkAction = (typeof PARTNER_BULK_ACTIONS)[number] | 'approve' | 'reject'
type BulkInput = { action: PartnerBulkAction; message?: string }

/** Emails take a while, so they are sent in smaller parts. */
const MAX_INVITED = 20

/** Changes many partners. Applications are decided with a message. */
export const useBulkPartners = (programId: number, action: PartnerBulkAction | null) => {
  const invalidate = useInvalidatePartners(programId)
  return useBulk<BulkInput>({
    run: (ids, input) =>
      input.action === 'approve' || input.action === 'reject'
        ? decide(programId, ids, { ...input, decision: input.action === 'approve' ? 'approved' : 'rejected' })
        : changeMany(programId, ids, input.action),
    invalidate,
    ...(action === 'invite' && { size: MAX_INVITED }),
  })
}

const changeMany = async (programId: number, ids: number[], action: PartnerBulkAction) =>
  (await api.post<{ data: BulkResult }>(`/api/programs/${programId}/partners/bulk`, { ids, action })).data

type Decision = Pick<z.input<typeof decideApplicationsRequest>, 'decision' | 'message'>

const decide = async (programId: number, partnerIds: number[], { decision, message }: Decision) => {
  const path = `/api/programs/${programId}/applications/decide`
  const form = { partnerIds, decision, ...(message && { message }) }
  const { data } = await api.post<{ data: z.infer<typeof decidedApplications> }>(path, form)
  return resultOf({ asked: partnerIds.length, done: data.decided.length, reason: 'not waiting for a decision' })
}

export type PartnerDetail = z.infer<typeof partnerDetail>

/** Loads nothing without an ID. */
export const usePartner = (programId: number, partnerId: string | undefined) =>
  useQuery({
    queryKey: [...partnersKey(programId), 'one', partnerId],
    queryFn: async () =>
      (await api.get<{ data: PartnerDetail }>(`/api/programs/${programId}/partners/${partnerId}`)).data,
    enabled: Boolean(partnerId),
  })

/** The response contains the link, this one time. */
export const useInvitePartner = (programId: number, partnerId: number) => {
  const invalidate = useInvalidatePartners(programId)
  return useMutation({
    mutationFn: async (form: z.input<typeof invitePartnerRequest>) =>
      (
        await api.post<{ data: z.infer<typeof partnerInvitation> }>(
          `/api/programs/${programId}/partners/${partnerId}/invite`,
          form,
        )
      ).data,
    // Not awaited: the link must not wait for lists.
    onSuccess: (_, { groupId }) => void (groupId && invalidate()),
    gcTime: 0,
  })
}

export const useRemoveSignIn = (programId: number, partnerId: number) => {
  const onSuccess = useInvalidatePartners(programId)
  return useMutation({
    mutationFn: () => api.delete(`/api/programs/${programId}/partners/${partnerId}/sign-in`),
    onSuccess,
  })
}
