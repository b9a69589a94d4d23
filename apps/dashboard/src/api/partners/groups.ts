import { useMutation, useQueryClient } from '@tanstack/react-query'
import { resultOf, useBulk } from '../bulk.ts'
import { call, type Input, useCall } from '../call.ts'

const LIST = '/api/programs/{programId}/groups'
const ONE = `${LIST}/{groupId}` as const

export type GroupForm = Input<`post ${typeof LIST}`>['body']

export const useGroups = (programId: number) => useCall(`get ${LIST}`, { programId })

/** Partners, the program's reward and the audit log show groups too. */
const useInvalidateGroups = (programId: number) => {
  const queries = useQueryClient()
  const shown = ['groups', 'partners', 'audit', 'money']
  return () => Promise.all(shown.map((name) => queries.invalidateQueries({ queryKey: [name, programId] })))
}

export const useSaveGroup = (programId: number, groupId: number | null) => {
  const onSuccess = useInvalidateGroups(programId)
  const save = (body: GroupForm) =>
    groupId === null ? call(`post ${LIST}`, { programId, body }) : call(`patch ${ONE}`, { programId, groupId, body })
  return useMutation({ mutationFn: save, onSuccess })
}

export const useDeleteGroup = (programId: number, groupId: number) => {
  const onSuccess = useInvalidateGroups(programId)
  return useMutation({ mutationFn: () => call(`delete ${ONE}`, { programId, groupId }), onSuccess })
}

export const useMovePartners = (programId: number) => {
  return useBulk(async (partnerIds, groupId: number) => {
    const { moved } = await call(`post ${ONE}/partners`, { programId, groupId, body: { partnerIds } })
    return resultOf({ asked: partnerIds.length, done: moved, reason: 'already in this group' })
  })
}
