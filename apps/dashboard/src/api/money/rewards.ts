import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangedReward, EarlierEvents, RewardAnswer, rewardPreview, rewardRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { programsQuery } from '../programs.ts'

export type RewardForm = z.input<typeof rewardRequest>
export type RewardPreview = z.infer<typeof rewardPreview>

/** The program's reward, or one partner's custom terms. */
const rewardPath = (programId: number, partnerId?: number) =>
  partnerId === undefined
    ? `/api/programs/${programId}/reward`
    : `/api/programs/${programId}/partners/${partnerId}/reward`

export const useReward = (programId: number) =>
  useQuery({
    queryKey: ['reward', programId],
    queryFn: async () => (await api.get<{ data: RewardAnswer }>(rewardPath(programId))).data,
    // All terms are saved together, so the form must start from the current ones.
    staleTime: 0,
  })

/** Leads and sales that earned nothing because no reward was set. */
export const useEarlierEvents = (programId: number, { enabled = true } = {}) =>
  useQuery({
    queryKey: ['reward', programId, 'earlier'],
    queryFn: async () => (await api.get<{ data: EarlierEvents }>(`${rewardPath(programId)}/earlier`)).data,
    enabled,
  })

/** The program, its partners, its sales and the setup page show the terms too. */
const useInvalidateReward = (programId: number) => {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: programsQuery.queryKey })
    for (const name of ['reward', 'partners', 'audit', 'tracking', 'sales', 'sale', 'explain'])
      void queries.invalidateQueries({ queryKey: [name, programId] })
  }
}

export const useChangeReward = (programId: number, partnerId?: number) => {
  const queries = useQueryClient()
  const invalidate = useInvalidateReward(programId)
  return useMutation({
    mutationFn: async (form: RewardForm) =>
      (await api.put<{ data: ChangedReward }>(rewardPath(programId, partnerId), form)).data,
    onSuccess: ({ earlier: _, ...saved }) => {
      if (partnerId === undefined) queries.setQueryData(['reward', programId], saved)
      invalidate()
    },
    // On a conflict, show the terms that someone else just saved.
    onError: invalidate,
  })
}

export const useRemoveCustomTerms = (programId: number, partnerId: number) => {
  const onSuccess = useInvalidateReward(programId)
  return useMutation({
    mutationFn: () => api.delete<{ data: RewardAnswer }>(rewardPath(programId, partnerId)),
    onSuccess,
  })
}

type PreviewInput = { reward: RewardForm; amountCents: number }

/** Calculates a preview with the same rules as real commissions. */
export const useRewardPreview = (programId: number, input: PreviewInput | null) =>
  useQuery({
    queryKey: ['reward-preview', programId, input],
    queryFn: async () =>
      (await api.post<{ data: RewardPreview }>(`/api/programs/${programId}/reward/preview`, input)).data,
    enabled: input !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
