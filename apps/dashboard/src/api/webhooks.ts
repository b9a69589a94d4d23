import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  resentWebhooks,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '@tributary/contract'
import type { z } from 'zod'
import { api, type List, type Query } from './client.ts'

const webhooksKey = (programId: number) => ['webhooks', programId] as const
const endpointsPath = (programId: number) => `/api/programs/${programId}/webhook-endpoints`
const deliveriesPath = (programId: number) => `/api/programs/${programId}/webhook-deliveries`

/** While something is on its way, its result appears without a reload. */
const WATCH_MS = 3_000

const endpointsKey = (programId: number) => [...webhooksKey(programId), 'endpoints'] as const

export const useWebhookEndpoints = (programId: number) =>
  useQuery({
    queryKey: endpointsKey(programId),
    queryFn: async () => (await api.get<List<WebhookEndpoint>>(endpointsPath(programId))).data,
  })

/** Attempts also change the health of the endpoints, so new deliveries or results reload those too. */
export const useWebhookDeliveries = (programId: number, query: Query) => {
  const queries = useQueryClient()
  const queryKey = [...webhooksKey(programId), 'deliveries', query]
  return useQuery({
    queryKey,
    queryFn: async () => {
      const before = queries.getQueryData<List<WebhookDelivery>>(queryKey)
      const list = await api.get<List<WebhookDelivery>>(deliveriesPath(programId), query)
      if (before && JSON.stringify(before.data) !== JSON.stringify(list.data))
        void queries.invalidateQueries({ queryKey: endpointsKey(programId) })
      return list
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isDue) ? WATCH_MS : false),
  })
}

/** `isWatched`: until the first attempt has ended, however late. */
export const useWebhookDelivery = (programId: number, deliveryId: number, { isWatched = false } = {}) =>
  useQuery({
    queryKey: [...webhooksKey(programId), 'delivery', deliveryId],
    queryFn: async () =>
      (await api.get<{ data: WebhookDeliveryDetail }>(`${deliveriesPath(programId)}/${deliveryId}`)).data,
    refetchInterval: ({ state: { data } }) =>
      data && (isWatched ? data.attempts === 0 : isDue(data)) ? WATCH_MS / 3 : false,
  })

/** While a delivery is being sent, its next attempt is a minute away. Most retries are later than that. */
const NEAR_MS = 90_000

/** Without a time, it waits for its endpoint to be enabled. */
const isDue = ({ nextAttemptAt }: WebhookDelivery) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + NEAR_MS

const invalidate = (queries: QueryClient, programId: number) => ({
  onSuccess: () => void queries.invalidateQueries({ queryKey: webhooksKey(programId) }),
})

/** The response contains the secret, this one time; nothing caches it. */
export const useCreateEndpoint = (programId: number) =>
  useMutation({
    mutationFn: async (form: CreateWebhookEndpoint) =>
      (await api.post<{ data: WebhookEndpointWithSecret }>(endpointsPath(programId), form)).data,
    ...invalidate(useQueryClient(), programId),
    gcTime: 0,
  })

type Change = { id: number; change: ChangeWebhookEndpoint }

export const useChangeEndpoint = (programId: number) =>
  useMutation({
    mutationFn: ({ id, change }: Change) =>
      api.patch<{ data: WebhookEndpoint }>(`${endpointsPath(programId)}/${id}`, change),
    ...invalidate(useQueryClient(), programId),
  })

export const useDeleteEndpoint = (programId: number) =>
  useMutation({
    mutationFn: (id: number) => api.delete(`${endpointsPath(programId)}/${id}`),
    ...invalidate(useQueryClient(), programId),
  })

/** The response contains the new secret, this one time. The old one also signs for a day. */
export const useRotateSecret = (programId: number) =>
  useMutation({
    mutationFn: async (id: number) =>
      (await api.post<{ data: WebhookEndpointWithSecret }>(`${endpointsPath(programId)}/${id}/rotate`)).data,
    ...invalidate(useQueryClient(), programId),
    gcTime: 0,
  })

export const useSendTestEvent = (programId: number) =>
  useMutation({
    mutationFn: async (id: number) =>
      (await api.post<{ data: WebhookDelivery }>(`${endpointsPath(programId)}/${id}/test`)).data,
    ...invalidate(useQueryClient(), programId),
  })

export const useResendDelivery = (programId: number) =>
  useMutation({
    mutationFn: (id: number) => api.post(`${deliveriesPath(programId)}/${id}/resend`),
    ...invalidate(useQueryClient(), programId),
  })

type Failed = { endpointId?: number; since: string }

/**
 * Resolves with the number of deliveries, and of those that disabled endpoints keep back. One call resends a limited number, so it
 * repeats until none is left.
 */
export const useResendFailed = (programId: number) =>
  useMutation({
    mutationFn: async (failed: Failed) => {
      let total = 0
      for (;;) {
        const {
          resent,
          hasMore,
          disabled = 0,
        } = (await api.post<{ data: z.infer<typeof resentWebhooks> }>(`${deliveriesPath(programId)}/resend`, failed))
          .data
        total += resent
        if (!hasMore || resent === 0) return { resent: total, disabled }
      }
    },
    ...invalidate(useQueryClient(), programId),
  })
