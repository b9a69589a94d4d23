import { useMutation, useQueryClient } from '@tanstack/react-query'
import { resultOf, useBulk } from '../bulk.ts'
import { call, type Input, useCall, useChange } from '../call.ts'

const LIST = '/api/programs/{programId}/groups'
const ONE = `${LIST}/{groupId}` as const

export type GroupForm = Input<`post ${typeof LIST}`>['body']

export const useGroups = (programId: number) => useCall(`get ${LIST}`, { programId })

/** Partners, the program's reward and the audit log show groups too. */
const SHOWN = ['groups', 'partners', 'audit', 'money']

export const useSaveGroup = (programId: number, groupId: number | null) => {
  const queries = useQueryClient()
  const save = (body: GroupForm) =>
    groupId === null ? call(`post ${LIST}`, { programId, body }) : call(`patch ${ONE}`, { programId, groupId, body })
  const onSuccess = () => Promise.all(SHOWN.map((name) => queries.invalidateQueries({ queryKey: [name, programId] })))
  return useMutation({ mutationFn: save, onSuccess })
}

export const useDeleteGroup = (programId: number, groupId: number) =>
  useChange(`delete ${ONE}`, { programId, groupId }, { changes: SHOWN })

export const useMovePartners = (programId: number) => {
  return useBulk(async (partnerIds, groupId: number) => {
    const { moved } = await call(`post ${ONE}/partners`, { programId, groupId, body: { partnerIds } })
    return resultOf({ asked: partnerIds.length, done: moved, reason: 'already in this group' })
  })
}
