import { useMutation, useQuery } from '@tanstack/react-query'
import type { confirmedDraft, PayoutDraft, PayoutSchedule, PayoutScheduleRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { moneyKey } from './money-keys.ts'
import { type NewPayout, useInvalidateMoney } from './payouts.ts'

const path = (programId: number, rest: string) => `/api/programs/${programId}/payouts/${rest}`

/** Also says whether a draft waits for a decision. */
export const usePayoutSchedule = (programId: number, enabled = true) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'schedule'],
    queryFn: async () => (await api.get<{ data: PayoutSchedule }>(path(programId, 'schedule'))).data,
    enabled,
  })

export const useSetPayoutSchedule = (programId: number) => {
  const onSuccess = useInvalidateMoney(programId)
  return useMutation({
    mutationFn: async (schedule: PayoutScheduleRequest) =>
      (await api.put<{ data: PayoutSchedule }>(path(programId, 'schedule'), schedule)).data,
    onSuccess,
  })
}

/** The open draft, or null. */
export const usePayoutDraft = (programId: number) =>
  useQuery({
    queryKey: [...moneyKey(programId), 'draft'],
    queryFn: async () => (await api.get<{ data: PayoutDraft | null }>(path(programId, 'draft'))).data,
  })

export const useConfirmDraft = (programId: number, draftId: number) => {
  const onSuccess = useInvalidateMoney(programId)
  return useMutation({
    mutationFn: async (request: NewPayout) =>
      (await api.post<{ data: z.infer<typeof confirmedDraft> }>(path(programId, `drafts/${draftId}/confirm`), request))
        .data,
    onSuccess,
  })
}

export const useDiscardDraft = (programId: number, draftId: number) => {
  const onSuccess = useInvalidateMoney(programId)
  return useMutation({ mutationFn: () => api.post(path(programId, `drafts/${draftId}/discard`)), onSuccess })
}
