import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ProcessorConnection, ProcessorEvent, processorEventDetail } from '@tributary/contract'
import type { z } from 'zod'
import { api, type List, type Query } from './client.ts'
import { trackingKeys } from './tracking.ts'

const processorKey = (programId: number) => ['processor', programId] as const

export const useProcessor = (programId: number, { live = false } = {}) =>
  useQuery({
    queryKey: [...processorKey(programId), 'connection'],
    queryFn: async () => (await api.get<{ data: ProcessorConnection }>(`/api/programs/${programId}/processor`)).data,
    refetchInterval: live ? 5_000 : false,
  })

export const useProcessorEvents = (programId: number, query: Query) =>
  useQuery({
    queryKey: [...processorKey(programId), 'events', query],
    queryFn: () => api.get<List<ProcessorEvent>>(`/api/programs/${programId}/processor/events`, query),
    placeholderData: keepPreviousData,
  })

export const useProcessorEvent = (programId: number, eventId: string) =>
  useQuery({
    queryKey: [...processorKey(programId), 'event', eventId],
    queryFn: async () => {
      const path = `/api/programs/${programId}/processor/events/${encodeURIComponent(eventId)}`
      return (await api.get<{ data: z.infer<typeof processorEventDetail> }>(path)).data
    },
  })

/** Not awaited: the refetch removes the submitted form, and its success message must show first. */
const useInvalidateProcessor = (programId: number) => {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: trackingKeys.setUp(programId) })
    void queries.invalidateQueries({ queryKey: processorKey(programId) })
  }
}

/** Connects the merchant's own account. The connection stays `pending` until the first correctly signed event. */
export const useConnectProcessor = (programId: number) => {
  const onSuccess = useInvalidateProcessor(programId)
  return useMutation({
    mutationFn: (form: { webhookSecret: string }) => api.put(`/api/programs/${programId}/processor`, form),
    onSuccess,
  })
}

export const useDisconnectProcessor = (programId: number) => {
  const onSuccess = useInvalidateProcessor(programId)
  return useMutation({ mutationFn: () => api.delete(`/api/programs/${programId}/processor`), onSuccess })
}

/** Connects through the operator's platform account: the browser goes to the processor and returns to the setup page. */
export const useConnectPlatform = (programId: number) =>
  useMutation({
    mutationFn: async () =>
      (await api.post<{ data: { url: string } }>(`/api/programs/${programId}/processor/connect`)).data.url,
    onSuccess: (url) => location.assign(url),
  })
