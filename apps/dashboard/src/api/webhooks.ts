import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WebhookDelivery } from '@tributary/contract'
import { call, type Input, keyOf, type Result, useCall } from './call.ts'

const DELIVERIES = '/api/programs/{programId}/webhook-deliveries'
const LIST = `get ${DELIVERIES}` as const

/** While something is on its way, its result appears without a reload. */
const WATCH_MS = 3_000

/** Attempts also change the health of the endpoints, so new deliveries or results reload those too. */
export const useWebhookDeliveries = (programId: number, query: Input<typeof LIST>['query']) => {
  const queries = useQueryClient()
  const input = { programId, query }
  return useQuery({
    queryKey: keyOf(LIST, input),
    queryFn: async () => {
      const before = queries.getQueryData<Result<typeof LIST>>(keyOf(LIST, input))
      const list = await call(LIST, input)
      if (before && JSON.stringify(before.data) !== JSON.stringify(list.data))
        void queries.invalidateQueries({ queryKey: ['webhook-endpoints', programId] })
      return list
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isDue) ? WATCH_MS : false),
  })
}

/** `isWatched`: until the first attempt has ended, however late. */
export const useWebhookDelivery = (programId: number, deliveryId: number, { isWatched = false } = {}) =>
  useCall(
    `get ${DELIVERIES}/{deliveryId}`,
    { programId, deliveryId },
    {
      refetchInterval: ({ state: { data } }) =>
        data && (isWatched ? data.attempts === 0 : isDue(data)) ? WATCH_MS / 3 : false,
    },
  )

/** While a delivery is being sent, its next attempt is a minute away. Most retries are later than that. */
const NEAR_MS = 90_000

/** Without a time, it waits for its endpoint to be enabled. */
const isDue = ({ nextAttemptAt }: WebhookDelivery) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + NEAR_MS

/**
 * Resolves with the number of deliveries, and of those that disabled endpoints keep back. One call resends a limited number, so it
 * repeats until none is left.
 */
export const useResendFailed = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: Input<`post ${typeof DELIVERIES}/resend`>['body']) => {
      let total = 0
      for (;;) {
        const { resent, hasMore, disabled = 0 } = await call(`post ${DELIVERIES}/resend`, { programId, body })
        total += resent
        if (!hasMore || resent === 0) return { resent: total, disabled }
      }
    },
    onSuccess: () => queries.invalidateQueries(),
  })
}
