import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangeProgram, CreateProgram, Program } from '@tributary/contract'
import { api, type List } from './client.ts'
import { trackingKeys } from './tracking.ts'

const ONE_PAGE = { pageSize: 200 }

export const programsQuery = queryOptions({
  queryKey: ['programs'],
  queryFn: async () => (await api.get<List<Program>>('/api/programs', ONE_PAGE)).data,
  staleTime: 60_000,
})

export const usePrograms = () => useQuery(programsQuery)

/** For forms that change a program: refetches when the screen opens or regains focus. */
export const useFreshPrograms = () => useQuery({ ...programsQuery, staleTime: 0 })

export const useCreateProgram = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (form: CreateProgram) => (await api.post<{ data: Program }>('/api/programs', form)).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: programsQuery.queryKey }),
  })
}

export const useChangeProgram = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (change: ChangeProgram) =>
      (await api.patch<{ data: Program }>(`/api/programs/${programId}`, change)).data,
    onSuccess: (changed) => {
      queries.setQueryData(programsQuery.queryKey, (all) =>
        all?.map((program) => (program.id === changed.id ? changed : program)),
      )
      return Promise.all([
        queries.invalidateQueries({ queryKey: programsQuery.queryKey }),
        queries.invalidateQueries({ queryKey: trackingKeys.setUp(programId) }),
      ])
    },
  })
}
