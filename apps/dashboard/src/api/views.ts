import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangeView, CreateView, FoundRow, SavedView, ViewList } from '@tributary/contract'
import { api, type List } from './client.ts'

const viewsKey = (programId: number) => ['views', programId] as const

export const useViews = (programId: number, list: ViewList) =>
  useQuery({
    queryKey: [...viewsKey(programId), list],
    queryFn: async () => (await api.get<List<SavedView>>(`/api/programs/${programId}/views`, { list })).data,
  })

export const useSaveView = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (view: CreateView) =>
      (await api.post<{ data: SavedView }>(`/api/programs/${programId}/views`, view)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: viewsKey(programId) }),
  })
}

export const useChangeView = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, ...change }: ChangeView & { id: number }) =>
      (await api.patch<{ data: SavedView }>(`/api/programs/${programId}/views/${id}`, change)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: viewsKey(programId) }),
  })
}

export const useDeleteView = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api.delete(`/api/programs/${programId}/views/${id}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: viewsKey(programId) }),
  })
}

/** Partners, customers, sales and links with the text. */
export const useProgramSearch = (programId: number, q: string, { enabled = true } = {}) =>
  useQuery({
    queryKey: ['search', programId, q],
    queryFn: async () => (await api.get<List<FoundRow>>(`/api/programs/${programId}/search`, { q })).data,
    enabled: enabled && q !== '',
  })
