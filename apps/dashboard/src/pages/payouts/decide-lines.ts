import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Input } from '~/api/call.ts'

const LINE = 'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}'

type Decision = { lineId: number } & Input<typeof LINE>['body']

/** Sequential: if one is rejected, the earlier ones are saved and the later ones are not sent. */
export const useDecideLines = (programId: number, payoutId: number) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (decisions: Decision[]) => {
      for (const { lineId, ...body } of decisions) await call(LINE, { programId, payoutId, lineId, body })
    },
    // Not awaited: the row's success message must show before the row disappears.
    onSettled: () => void queries.invalidateQueries(),
  })
}
