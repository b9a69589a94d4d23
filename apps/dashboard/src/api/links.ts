import { keepPreviousData } from '@tanstack/react-query'
import { resultOf, useBulk } from './bulk.ts'
import { call, type Input, useCall, useChange } from './call.ts'

const LIST = '/api/programs/{programId}/links'
const changes = ['links']

export const linksKey = (programId: number) => ['links', programId] as const

export const useLinks = (programId: number, query: Input<`get ${typeof LIST}`>['query']) =>
  useCall(`get ${LIST}`, { programId, query }, { placeholderData: keepPreviousData })

export const useCreateLink = (programId: number) => useChange(`post ${LIST}`, { programId }, { changes })

export const useChangeLink = (programId: number, linkId: number) =>
  useChange(`patch ${LIST}/{linkId}`, { programId, linkId }, { changes })

export const useChangeLinks = (programId: number) => {
  return useBulk(async (ids, { active }: { active: boolean }) => {
    const { changed } = await call(`patch ${LIST}`, { programId, body: { ids, active } })
    return resultOf({ asked: ids.length, done: changed, reason: `already ${active ? 'enabled' : 'disabled'}` })
  })
}
