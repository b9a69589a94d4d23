import { keepPreviousData } from '@tanstack/react-query'
import { addressOf, type Input, type Result, useCall } from '../call.ts'

const LIST = 'get /api/programs/{programId}/audit'
type Filter = Input<typeof LIST>['query']

export type AuditEntry = Result<typeof LIST>['data'][number]

export const useAudit = (programId: number, query: Filter) =>
  useCall(LIST, { programId, query }, { placeholderData: keepPreviousData })

/** Every entry that matches, as a CSV file. */
export const auditFile = (programId: number, query: Filter) =>
  addressOf(LIST, { programId, query: { ...query, page: undefined, format: 'csv' } })
