import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Resource, resourceTextRequest } from '@tributary/contract'
import type { z } from 'zod'
import { api, fileAddress, uploadFile } from '../client.ts'

type Text = z.input<typeof resourceTextRequest>

const resourcesKey = (programId: number) => ['resources', programId] as const
const path = (programId: number, rest = '') => `/api/programs/${programId}/resources${rest}`

export const useResources = (programId: number) =>
  useQuery({
    queryKey: resourcesKey(programId),
    queryFn: async () => (await api.get<{ data: Resource[] }>(path(programId))).data,
  })

const useInvalidateResources = (programId: number) => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: resourcesKey(programId) })
}

/** Adds a text, or changes the resource with this ID. */
export const useSaveResource = (programId: number, id: number | null) => {
  const onSuccess = useInvalidateResources(programId)
  return useMutation({
    mutationFn: (form: Partial<Text>) =>
      id === null ? api.post(path(programId, '/texts'), form) : api.patch(path(programId, `/${id}`), form),
    onSuccess,
  })
}

export const useUploadResource = (programId: number) => {
  const onSuccess = useInvalidateResources(programId)
  return useMutation({
    mutationFn: (file: File) =>
      uploadFile('POST', fileAddress(path(programId, '/files'), { fileName: file.name }), file),
    onSuccess,
  })
}

export const useRemoveResource = (programId: number) => {
  const onSuccess = useInvalidateResources(programId)
  return useMutation({ mutationFn: (id: number) => api.delete(path(programId, `/${id}`)), onSuccess })
}

export const resourceAddress = (programId: number, id: number) => path(programId, `/${id}/file`)

export const usePortalResources = (programId: number) =>
  useQuery({
    queryKey: ['portal', programId, 'resources'],
    queryFn: async () => (await api.get<{ data: Resource[] }>(`/api/portal/programs/${programId}/resources`)).data,
  })

export const portalResourceAddress = (programId: number, id: number) =>
  `/api/portal/programs/${programId}/resources/${id}/file`
