import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChangedReward } from '@tributary/contract'
import { call, type Input, useCall } from '../call.ts'

const REWARD = '/api/programs/{programId}/reward'

export type RewardForm = Input<`put ${typeof REWARD}`>['body']

/** Whose terms: the program's by default, which are those of its default group. */
export type RewardOwner = { partnerId: number } | { groupId: number } | null

/** All terms are saved together, so the form must start from the current ones. */
export const useReward = (programId: number) => useCall(`get ${REWARD}`, { programId }, { staleTime: 0 })

/** After a conflict, shows the terms that someone else just saved. */
export const useChangeReward = (programId: number, owner: RewardOwner = null) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RewardForm) => save(programId, owner, body),
    onSettled: () => queries.invalidateQueries(),
  })
}

const save = (programId: number, owner: RewardOwner, body: RewardForm): Promise<ChangedReward> => {
  if (!owner) return call(`put ${REWARD}`, { programId, body })
  return 'partnerId' in owner
    ? call('put /api/programs/{programId}/partners/{partnerId}/reward', { programId, ...owner, body })
    : call('put /api/programs/{programId}/groups/{groupId}/reward', { programId, ...owner, body })
}
