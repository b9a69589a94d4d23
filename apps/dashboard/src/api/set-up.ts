import { useQuery } from '@tanstack/react-query'
import type { SetUp } from '@tributary/contract'
import { api } from './client.ts'
import { trackingKeys } from './tracking.ts'

const POLL_MS = 3_000

/** Read again every few seconds: the page waits for events from the merchant's side. */
export const useSetUp = (programId: number) =>
  useQuery({
    queryKey: trackingKeys.setUp(programId),
    queryFn: async () => (await api.get<{ data: SetUp }>(`/api/programs/${programId}/set-up`)).data,
    refetchInterval: POLL_MS,
  })
