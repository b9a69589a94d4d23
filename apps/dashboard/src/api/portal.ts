import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  PartnerLegalDetails,
  PayoutDetails,
  PortalEarning,
  partnerLegalDetailsRequest,
  payoutDetailsRequest,
  portalBalances,
  portalEarningDetail,
  portalOverview,
  portalPayout,
  portalSale,
  Statement,
} from '@tributary/contract'
import type { z } from 'zod'
import type { PeriodChoice } from '~/components/controls/period-picker.tsx'
import { call, keyOf, type Result, useCall, useChange } from './call.ts'
import { api, fileAddress, type List, type Query } from './client.ts'
import { whileVisible } from './live.ts'

const PROGRAMS = 'get /api/portal/programs'
export type PortalProgram = Result<typeof PROGRAMS>['data'][number]
export type PortalOverview = z.infer<typeof portalOverview>
export type PortalBalances = z.infer<typeof portalBalances>
export type PortalSale = z.infer<typeof portalSale>
export type PortalPayout = z.infer<typeof portalPayout>
export type PortalEarningDetail = z.infer<typeof portalEarningDetail>

const path = (programId: number, rest: string) => `/api/portal/programs/${programId}/${rest}`

/** The programs the user is a partner of; may be empty. */
export const portalProgramsQuery = queryOptions({
  queryKey: keyOf(PROGRAMS, {}),
  queryFn: () => call(PROGRAMS, {}),
  staleTime: 60_000,
})

export const usePortalPrograms = () => useQuery({ ...portalProgramsQuery, select: ({ data }) => data })

export const usePortalOverview = (programId: number, period: PeriodChoice) =>
  useQuery({
    queryKey: ['portal', programId, 'overview', period],
    queryFn: async () => (await api.get<{ data: PortalOverview }>(path(programId, 'overview'), period)).data,
    placeholderData: keepPreviousData,
    refetchInterval: whileVisible,
  })

/** The balances of every program. */
export const usePortalBalances = () =>
  useQuery({
    queryKey: ['portal', 'balances'],
    queryFn: async () => (await api.get<{ data: PortalBalances[] }>('/api/portal/balances')).data,
    refetchInterval: whileVisible,
  })

const usePortalList = <Row>(programId: number, name: string, query: Query) =>
  useQuery({
    queryKey: ['portal', programId, name, query],
    queryFn: () => api.get<List<Row>>(path(programId, name), query),
    placeholderData: keepPreviousData,
    refetchInterval: whileVisible,
  })

const LINKS = '/api/portal/programs/{programId}/links'
export type PortalLink = Result<`get ${typeof LINKS}`>['data'][number]

export const usePortalLinks = (programId: number, query: Query) =>
  useCall(`get ${LINKS}`, { programId, query }, { placeholderData: keepPreviousData, refetchInterval: whileVisible })
export const usePortalSales = (programId: number, query: Query) => usePortalList<PortalSale>(programId, 'sales', query)
export const usePortalEarnings = (programId: number, query: Query) =>
  usePortalList<PortalEarning>(programId, 'earnings', query)
export const usePortalPayouts = (programId: number, query: Query) =>
  usePortalList<PortalPayout>(programId, 'payouts', query)

export const usePortalEarning = (programId: number, earningId: number) =>
  useQuery({
    queryKey: ['portal', programId, 'earning', earningId],
    queryFn: async () => (await api.get<{ data: PortalEarningDetail }>(path(programId, `earnings/${earningId}`))).data,
    refetchInterval: whileVisible,
  })

export const useCreatePortalLink = (programId: number) =>
  useChange(`post ${LINKS}`, { programId }, { changes: ['portal'] })

const detailsKey = (programId: number) => ['portal', programId, 'payout-details'] as const

export const usePayoutDetails = (programId: number) =>
  useQuery({
    queryKey: detailsKey(programId),
    queryFn: async () => (await api.get<{ data: PayoutDetails | null }>(path(programId, 'payout-details'))).data,
  })

export const useSetPayoutDetails = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: z.input<typeof payoutDetailsRequest>) =>
      (await api.put<{ data: PayoutDetails }>(path(programId, 'payout-details'), form)).data,
    onSuccess: (details) => {
      queries.setQueryData(detailsKey(programId), details)
      return queries.invalidateQueries({ queryKey: ['portal', 'balances'] })
    },
  })
}

const legalKey = (programId: number) => ['portal', programId, 'legal-details'] as const

export const useLegalDetails = (programId: number) =>
  useQuery({
    queryKey: legalKey(programId),
    queryFn: async () => (await api.get<{ data: PartnerLegalDetails | null }>(path(programId, 'legal-details'))).data,
  })

export const useSetLegalDetails = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: z.input<typeof partnerLegalDetailsRequest>) =>
      (await api.put<{ data: PartnerLegalDetails }>(path(programId, 'legal-details'), form)).data,
    onSuccess: (details) => queries.setQueryData(legalKey(programId), details),
  })
}

export const usePortalStatement = (programId: number, lineId: string) =>
  useQuery({
    queryKey: ['portal', programId, 'statement', lineId],
    queryFn: async () => (await api.get<{ data: Statement }>(path(programId, `payouts/${lineId}/statement`))).data,
  })

export const statementAddress = (programId: number, name: 'earnings' | 'payouts' | 'statement', filter: Query = {}) =>
  fileAddress(path(programId, `export/${name}.csv`), filter)
