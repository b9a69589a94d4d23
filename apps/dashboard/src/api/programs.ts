import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, type Input } from './call.ts'

const CHANGE = 'patch /api/programs/{programId}'

/** One page is enough for every program of a user. */
export const programsQuery = queryOptions({
  queryKey: ['programs'],
  queryFn: async () => (await call('get /api/programs', { query: { pageSize: 200 } })).data,
  staleTime: 60_000,
})

export const usePrograms = () => useQuery(programsQuery)

/** Forms start from the answer, also if the list can't be read again. */
export const useChangeProgram = (programId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Input<typeof CHANGE>['body']) => call(CHANGE, { programId, body }),
    onSuccess: (changed) => {
      queries.setQueryData(programsQuery.queryKey, (all) =>
        all?.map((program) => (program.id === changed.id ? changed : program)),
      )
      return queries.invalidateQueries()
    },
  })
}
