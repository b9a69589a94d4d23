import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Breakdown, BreakdownQuery, eventList, Performance, PeriodQuery, testAnswer } from '@tributary/contract'
import { CHECK_HEADER } from '@tributary/contract/names'
import type { z } from 'zod'
import { api, type Query } from './client.ts'
import { untilRecomputed } from './live.ts'

export const trackingKeys = {
  setUp: (programId: number) => ['tracking', programId, 'set-up'] as const,
  events: (programId: number) => ['tracking', programId, 'events'] as const,
  performance: (programId: number) => ['tracking', programId, 'performance'] as const,
}

export type EventList = z.infer<typeof eventList>

export const useEvents = (programId: number, filter: Query) =>
  useQuery({
    queryKey: [...trackingKeys.events(programId), filter],
    queryFn: () => api.get<EventList>(`/api/tracking/events/${programId}`, filter),
    placeholderData: keepPreviousData,
  })

export type PeriodChoice = Partial<PeriodQuery>

export const usePerformance = (
  programId: number,
  period: PeriodChoice & { partnerId?: number; compare?: 'previous' },
  { enabled = true } = {},
) =>
  useQuery({
    queryKey: [...trackingKeys.performance(programId), period],
    queryFn: async () => (await api.get<{ data: Performance }>(`/api/tracking/performance/${programId}`, period)).data,
    placeholderData: keepPreviousData,
    refetchInterval: untilRecomputed,
    enabled,
  })

type BreakdownChoice = PeriodChoice & Pick<BreakdownQuery, 'by' | 'sort' | 'limit'> & { groupId?: string | undefined }

export const useBreakdown = (programId: number, query: BreakdownChoice) =>
  useQuery({
    queryKey: ['tracking', programId, 'breakdown', query],
    queryFn: async () => (await api.get<{ data: Breakdown }>(`/api/tracking/breakdown/${programId}`, query)).data,
    placeholderData: keepPreviousData,
    refetchInterval: untilRecomputed,
  })

type TestAnswer = z.infer<typeof testAnswer>

const testBodies = {
  click: (programId: number) => ({
    // Not a valid link name, so the test click can never count for a real link.
    affiliate_url: `${location.origin}/?aff=~test`,
    page_url: location.href,
    page_title: document.title,
    additional_data: { test_mode: true, program_id: programId },
  }),
  lead: (programId: number) => ({
    customer_key: 'test-customer',
    additional_data: { test_mode: true, program_id: programId },
  }),
}

const FROM_DASHBOARD = { [CHECK_HEADER]: 'dashboard' }

/** Sends the call a merchant's page or server would send, in test mode. It does not complete a setup step. */
export const useCheckService = (programId: number, kind: keyof typeof testBodies) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.post<TestAnswer>(`/api/v1/track/${kind}`, testBodies[kind](programId), FROM_DASHBOARD),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tracking', programId] }),
  })
}
