import { keepPreviousData } from '@tanstack/react-query'
import { type Input, useCall, useChange } from './call.ts'

const LIST = '/api/programs/{programId}/api-keys'
const changes = ['api-keys']

export const useApiKeys = (programId: number, query: Input<`get ${typeof LIST}`>['query']) =>
  useCall(`get ${LIST}`, { programId, query }, { placeholderData: keepPreviousData })

/** The response contains the full key, this one time; nothing caches it. */
export const useCreateApiKey = (programId: number) => useChange(`post ${LIST}`, { programId }, { changes, gcTime: 0 })

export const useRevokeApiKey = (programId: number, keyId: string) =>
  useChange(`delete ${LIST}/{keyId}`, { programId, keyId }, { changes })

/** The old key keeps working for the grace period. */
export const useRotateApiKey = (programId: number, keyId: string) =>
  useChange(`post ${LIST}/{keyId}/rotate`, { programId, keyId }, { changes, gcTime: 0 })
