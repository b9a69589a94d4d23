import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EventsQuery, Performance, Period, TrackingEvent, TrackingStatus, testAnswer } from '@tributary/contract'
import type { z } from 'zod'
import { api, type List } from './client.ts'

const STATUS_POLL_MS = 3_000
const LIVE_POLL_MS = 4_000

export const trackingKeys = {
  status: (programId: number) => ['tracking', programId, 'status'] as const,
  events: (programId: number) => ['tracking', programId, 'events'] as const,
  performance: (programId: number) => ['tracking', programId, 'performance'] as const,
}

/** Asked again and again while a page that waits for an event is open. */
export const useTrackingStatus = (programId: number, { live = false } = {}) =>
  useQuery({
    queryKey: trackingKeys.status(programId),
    queryFn: async () => (await api.get<{ data: TrackingStatus }>(`/api/tracking/status/${programId}`)).data,
    refetchInterval: live ? STATUS_POLL_MS : false,
  })

export type EventsFilter = Partial<EventsQuery>

export const useEvents = (programId: number, filter: EventsFilter, { live = false } = {}) =>
  useQuery({
    queryKey: [...trackingKeys.events(programId), filter],
    queryFn: () => api.get<List<TrackingEvent>>(`/api/tracking/events/${programId}`, filter),
    refetchInterval: live ? LIVE_POLL_MS : false,
    placeholderData: keepPreviousData,
  })

export const usePerformance = (programId: number, period: Period) =>
  useQuery({
    queryKey: [...trackingKeys.performance(programId), period],
    queryFn: async () =>
      (await api.get<{ data: Performance }>(`/api/tracking/performance/${programId}`, { period })).data,
    placeholderData: keepPreviousData,
  })

type TestAnswer = z.infer<typeof testAnswer>

const testBodies = {
  click: (programId: number) => ({
    affiliate_url: `${location.origin}/?aff=test`,
    page_url: location.href,
    page_title: document.title,
    additional_data: { test_mode: true, program_id: programId },
  }),
  lead: (programId: number) => ({
    customer_key: 'test-customer',
    additional_data: { test_mode: true, program_id: programId },
  }),
}

/** Sends the very call that a merchant's page or server sends, in test mode: no customer, no counter, no money. */
export const useSendTest = (programId: number, kind: keyof typeof testBodies) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.post<TestAnswer>(`/api/v1/track/${kind}`, testBodies[kind](programId)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tracking', programId] }),
  })
}
