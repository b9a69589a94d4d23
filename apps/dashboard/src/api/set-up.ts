import { useQuery } from '@tanstack/react-query'
import type { SetUp } from '@tributary/contract'
import { api } from './client.ts'
import { trackingKeys } from './tracking.ts'

const POLL_MS = 3_000

/** Polls, because the page waits for the merchant's events. */
export const useSetUp = (programId: number, { untilDone = false } = {}) =>
  useQuery({
    queryKey: trackingKeys.setUp(programId),
    queryFn: async () => (await api.get<{ data: SetUp }>(`/api/programs/${programId}/set-up`)).data,
    refetchInterval: ({ state }) => (untilDone && state.data?.done ? false : POLL_MS),
  })
