import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangedReward, EarlierEvents, RewardAnswer, rewardPreview, rewardRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { programsQuery } from '../programs.ts'

export type RewardForm = z.input<typeof rewardRequest>
export type RewardPreview = z.infer<typeof rewardPreview>

/** Whose terms: the program's by default, which are those of its default group. */
export type RewardOwner = { partnerId: number } | { groupId: number } | null

const rewardPath = (programId: number, owner: RewardOwner = null) => {
  const program = `/api/programs/${programId}`
  if (!owner) return `${program}/reward`
  return 'partnerId' in owner
    ? `${program}/partners/${owner.partnerId}/reward`
    : `${program}/groups/${owner.groupId}/reward`
}

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

/** The program, its groups and partners, its sales and the setup page show the terms too. */
const useInvalidateReward = (programId: number) => {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: programsQuery.queryKey })
    for (const name of ['reward', 'groups', 'partners', 'audit', 'tracking', 'sales', 'sale', 'explain'])
      void queries.invalidateQueries({ queryKey: [name, programId] })
  }
}

export const useChangeReward = (programId: number, owner: RewardOwner = null) => {
  const queries = useQueryClient()
  const invalidate = useInvalidateReward(programId)
  return useMutation({
    mutationFn: async (form: RewardForm) =>
      (await api.put<{ data: ChangedReward }>(rewardPath(programId, owner), form)).data,
    onSuccess: ({ earlier: _, ...saved }) => {
      if (!owner) queries.setQueryData(['reward', programId], saved)
      invalidate()
    },
    // On a conflict, show the terms that someone else just saved.
    onError: invalidate,
  })
}

/** Returns a partner to their group's terms, or a group to the default group's. */
export const useRemoveTerms = (programId: number, owner: RewardOwner) => {
  const onSuccess = useInvalidateReward(programId)
  return useMutation({
    mutationFn: () => api.delete<{ data: RewardAnswer }>(rewardPath(programId, owner)),
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
