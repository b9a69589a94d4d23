import { queryOptions, useQuery } from '@tanstack/react-query'
import { call, keyOf, type Result, useCall, useChange } from './call.ts'
import type { Query } from './client.ts'
import { LIVE_LIST } from './live.ts'

const PROGRAMS = 'get /api/portal/programs'
export type PortalProgram = Result<typeof PROGRAMS>['data'][number]

/** The programs the user is a partner of; may be empty. */
export const portalProgramsQuery = queryOptions({
  queryKey: keyOf(PROGRAMS, {}),
  queryFn: () => call(PROGRAMS, {}),
  staleTime: 60_000,
})

export const usePortalPrograms = () => useQuery({ ...portalProgramsQuery, select: ({ data }) => data })

const LINKS = '/api/portal/programs/{programId}/links'
export type PortalLink = Result<`get ${typeof LINKS}`>['data'][number]

export const usePortalLinks = (programId: number, query: Query) =>
  useCall(`get ${LINKS}`, { programId, query }, LIVE_LIST)

export const useCreatePortalLink = (programId: number) =>
  useChange(`post ${LINKS}`, { programId }, { changes: ['portal'] })

const CODES = '/api/portal/programs/{programId}/codes'
export type PortalCode = Result<`get ${typeof CODES}`>['data'][number]

export const usePortalCodes = (programId: number, query: Query) =>
  useCall(`get ${CODES}`, { programId, query }, LIVE_LIST)

export const useRequestCode = (programId: number) => useChange(`post ${CODES}`, { programId }, { changes: ['portal'] })
