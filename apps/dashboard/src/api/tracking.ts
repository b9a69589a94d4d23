import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Breakdown, BreakdownQuery, eventList, Performance, PeriodQuery, testAnswer } from '@tributary/contract'
import { CHECK_HEADER } from '@tributary/contract/names'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { api, type Query } from './client.ts'

const LIVE_POLL_MS = 10_000

export const trackingKeys = {
  setUp: (programId: number) => ['tracking', programId, 'set-up'] as const,
  events: (programId: number) => ['tracking', programId, 'events'] as const,
  performance: (programId: number) => ['tracking', programId, 'performance'] as const,
}

export type EventList = z.infer<typeof eventList>

export const useEvents = (programId: number, filter: Query, { poll = false } = {}) =>
  useQuery({
    queryKey: [...trackingKeys.events(programId), filter],
    queryFn: () => api.get<EventList>(`/api/tracking/events/${programId}`, filter),
    refetchInterval: poll ? LIVE_POLL_MS : false,
    placeholderData: keepPreviousData,
  })

/** Several events at once are one reason to look, not several. */
const GATHER_MS = 400

/** Reads the lists of events again whenever the service says that there is a new one. Answers whether it is listening. */
export const useLiveEvents = (programId: number) => {
  const queries = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const stream = new EventSource(`/api/tracking/events/${programId}/stream`)
    let timer: ReturnType<typeof setTimeout> | undefined
    stream.onopen = () => setLive(true)
    stream.onerror = () => setLive(false) // the browser connects again by itself
    stream.addEventListener('tracking', () => {
      clearTimeout(timer)
      timer = setTimeout(() => void queries.invalidateQueries({ queryKey: trackingKeys.events(programId) }), GATHER_MS)
    })
    return () => {
      clearTimeout(timer)
      stream.close()
    }
  }, [programId, queries])
  return isLive
}

export type PeriodChoice = Partial<PeriodQuery>

export const usePerformance = (
  programId: number,
  period: PeriodChoice & { partnerId?: number },
  { enabled = true } = {},
) =>
  useQuery({
    queryKey: [...trackingKeys.performance(programId), period],
    queryFn: async () => (await api.get<{ data: Performance }>(`/api/tracking/performance/${programId}`, period)).data,
    placeholderData: keepPreviousData,
    enabled,
  })

export const useBreakdown = (programId: number, by: BreakdownQuery['by'], period: PeriodChoice, limit: number) =>
  useQuery({
    queryKey: ['tracking', programId, 'breakdown', by, period, limit],
    queryFn: async () =>
      (await api.get<{ data: Breakdown }>(`/api/tracking/breakdown/${programId}`, { by, limit, ...period })).data,
    placeholderData: keepPreviousData,
  })

type TestAnswer = z.infer<typeof testAnswer>

const testBodies = {
  click: (programId: number) => ({
    // No link can have this name: a link named `test` would make this a click of its program.
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

/** Whether the service answers: the call that a merchant's page or server sends, in test mode. It completes no step. */
export const useCheckService = (programId: number, kind: keyof typeof testBodies) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.post<TestAnswer>(`/api/v1/track/${kind}`, testBodies[kind](programId), FROM_DASHBOARD),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tracking', programId] }),
  })
}
