import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Analytics, Cohorts } from '@tributary/contract'
import { api } from './client.ts'
import { untilRecomputed } from './live.ts'
import type { PeriodChoice } from './tracking.ts'

export const useAnalytics = (programId: number, period: PeriodChoice) =>
  useQuery({
    queryKey: ['tracking', programId, 'analytics', period],
    queryFn: async () => (await api.get<{ data: Analytics }>(`/api/programs/${programId}/analytics`, period)).data,
    placeholderData: keepPreviousData,
    refetchInterval: untilRecomputed,
  })

const MONTHS = 12

export const useCohorts = (programId: number) =>
  useQuery({
    queryKey: ['tracking', programId, 'cohorts'],
    queryFn: async () =>
      (await api.get<{ data: Cohorts }>(`/api/programs/${programId}/analytics/cohorts`, { months: MONTHS })).data,
    refetchInterval: untilRecomputed,
  })
