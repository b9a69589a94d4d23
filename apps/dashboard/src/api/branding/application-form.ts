import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApplicationForm, applicationForm, confirmedApplication } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'

const formKey = (programId: number) => ['application-form', programId] as const
const formPath = (programId: number) => `/api/programs/${programId}/application-form`

export const useApplicationForm = (programId: number) =>
  useQuery({
    queryKey: formKey(programId),
    queryFn: async () => (await api.get<{ data: ApplicationForm }>(formPath(programId))).data,
  })

export const useSetApplicationForm = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: z.input<typeof applicationForm>) =>
      (await api.put<{ data: ApplicationForm }>(formPath(programId), form)).data,
    onSuccess: (saved) => queries.setQueryData(formKey(programId), saved),
  })
}

export const useConfirmApplication = (token: string) =>
  useMutation({
    mutationFn: async () =>
      (await api.post<{ data: z.infer<typeof confirmedApplication> }>('/api/public/applications/confirm', { token }))
        .data,
  })
