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

export const useWebhookEndpoints = (programId: number) =>
  useQuery({
    queryKey: [...webhooksKey(programId), 'endpoints'],
    queryFn: async () => (await api.get<List<WebhookEndpoint>>(endpointsPath(programId))).data,
  })

export const useWebhookDeliveries = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...webhooksKey(programId), 'deliveries', query],
    queryFn: () => api.get<List<WebhookDelivery>>(deliveriesPath(programId), query),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isDue) ? WATCH_MS : false),
  })

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

const isDue = ({ state, nextAttemptAt }: WebhookDelivery) =>
  state === 'pending' && (!nextAttemptAt || Date.parse(nextAttemptAt) < Date.now() + NEAR_MS)

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

/** Resolves with the number of deliveries. One call resends a limited number, so it repeats until none is left. */
export const useResendFailed = (programId: number) =>
  useMutation({
    mutationFn: async (failed: Failed) => {
      let total = 0
      for (;;) {
        const { resent, hasMore } = (
          await api.post<{ data: z.infer<typeof resentWebhooks> }>(`${deliveriesPath(programId)}/resend`, failed)
        ).data
        total += resent
        if (!hasMore || resent === 0) return total
      }
    },
    ...invalidate(useQueryClient(), programId),
  })
