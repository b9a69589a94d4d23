import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangedReward, EarlierEvents, RewardAnswer, rewardPreview, rewardRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'
import { programsQuery } from '../programs.ts'

export type RewardForm = z.input<typeof rewardRequest>
export type RewardPreview = z.infer<typeof rewardPreview>

/** Of the program, or of one partner. */
const rewardPath = (programId: number, partnerId?: number) =>
  partnerId === undefined
    ? `/api/programs/${programId}/reward`
    : `/api/programs/${programId}/partners/${partnerId}/reward`

export const useReward = (programId: number) =>
  useQuery({
    queryKey: ['reward', programId],
    queryFn: async () => (await api.get<{ data: RewardAnswer }>(rewardPath(programId))).data,
    // All terms are saved together, so whoever comes back to change one must see the others as they are now.
    staleTime: 0,
  })

/** Leads and sales that earned nothing because no reward was set. */
export const useEarlierEvents = (programId: number, { enabled = true } = {}) =>
  useQuery({
    queryKey: ['reward', programId, 'earlier'],
    queryFn: async () => (await api.get<{ data: EarlierEvents }>(`${rewardPath(programId)}/earlier`)).data,
    enabled,
  })

/** Terms are shown with the program, its partners, its sales and the set-up as well. */
const useForget = (programId: number) => {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: programsQuery.queryKey })
    for (const name of ['reward', 'partners', 'audit', 'tracking', 'sales', 'sale', 'explain'])
      void queries.invalidateQueries({ queryKey: [name, programId] })
  }
}

export const useChangeReward = (programId: number, partnerId?: number) => {
  const queries = useQueryClient()
  const forget = useForget(programId)
  return useMutation({
    mutationFn: async (form: RewardForm) =>
      (await api.put<{ data: ChangedReward }>(rewardPath(programId, partnerId), form)).data,
    onSuccess: ({ earlier: _, ...saved }) => {
      if (partnerId === undefined) queries.setQueryData(['reward', programId], saved)
      forget()
    },
    // Refused because somebody else was faster: what holds now is shown beside what was written here.
    onError: forget,
  })
}

export const useEndOwnReward = (programId: number, partnerId: number) => {
  const onSuccess = useForget(programId)
  return useMutation({
    mutationFn: () => api.delete<{ data: RewardAnswer }>(rewardPath(programId, partnerId)),
    onSuccess,
  })
}

type Asked = { reward: RewardForm; amountCents: number }

/** What terms would pay, by the rules that will pay it. */
export const useRewardPreview = (programId: number, asked: Asked | null) =>
  useQuery({
    queryKey: ['reward-preview', programId, asked],
    queryFn: async () =>
      (await api.post<{ data: RewardPreview }>(`/api/programs/${programId}/reward/preview`, asked)).data,
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
