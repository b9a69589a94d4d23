import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import { trackingKeys } from './tracking.ts'

const useProcessorCall = <Form>(programId: number, call: (path: string, form: Form) => Promise<unknown>) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (form: Form) => call(`/api/programs/${programId}/processor`, form),
    onSuccess: () => queries.invalidateQueries({ queryKey: trackingKeys.status(programId) }),
  })
}

/** The merchant's own account: the connection is `pending` until the first event with a good signature. */
export const useConnectProcessor = (programId: number) =>
  useProcessorCall<{ webhookSecret: string }>(programId, (path, form) => api.put(path, form))

export const useDisconnectProcessor = (programId: number) =>
  useProcessorCall<void>(programId, (path) => api.delete(path))
