import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AgreementStatus, Branding, brandingRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api, uploadFile } from '../client.ts'

const brandingKey = (programId: number) => ['branding', programId] as const
const agreementKey = (programId: number) => ['agreement', programId] as const
const brandingPath = (programId: number) => `/api/programs/${programId}/branding`

export const useBranding = (programId: number) =>
  useQuery({
    queryKey: brandingKey(programId),
    queryFn: async () => (await api.get<{ data: Branding }>(brandingPath(programId))).data,
  })

const useKeepBranding = (programId: number) => {
  const queries = useQueryClient()
  return (branding: Branding) => queries.setQueryData(brandingKey(programId), branding)
}

export const useSetBranding = (programId: number) =>
  useMutation({
    mutationFn: async (form: z.input<typeof brandingRequest>) =>
      (await api.put<{ data: Branding }>(brandingPath(programId), form)).data,
    onSuccess: useKeepBranding(programId),
  })

/** Null removes the logo. */
export const useSetLogo = (programId: number) =>
  useMutation({
    mutationFn: async (file: File | null) => {
      const path = `${brandingPath(programId)}/logo`
      const answer = file
        ? await uploadFile<{ data: Branding }>('PUT', path, file)
        : await api.delete<{ data: Branding }>(path)
      return answer.data
    },
    onSuccess: useKeepBranding(programId),
  })

export const useAgreement = (programId: number) =>
  useQuery({
    queryKey: agreementKey(programId),
    queryFn: async () => (await api.get<{ data: AgreementStatus }>(`/api/programs/${programId}/agreement`)).data,
  })

export const useSetAgreement = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (text: string | null) =>
      (await api.put<{ data: AgreementStatus }>(`/api/programs/${programId}/agreement`, { text })).data,
    onSuccess: (status) => queries.setQueryData(agreementKey(programId), status),
  })
}
