import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReplayAnswer } from '@tributary/contract'
import { useState } from 'react'
import { api } from './client.ts'

export type Replayed = {
  dryRun: boolean
  events: number
  changes: ReplayAnswer['changes']
  changedSales: ReplayAnswer['sales']
  /** How much more there is of each after than before. */
  sales: number
  salesCents: number
  refunds: number
  refundedCents: number
}
export type Progress = { done: number; total: number }
type Wish = { since: string; dryRun: boolean; signal: AbortSignal }

const NOTHING = { events: 0, changes: [], changedSales: [], sales: 0, salesCents: 0, refunds: 0, refundedCents: 0 }

/** A dry run undoes each page by itself, so what all of them change is the sum of what each does. */
const added = (sum: Replayed, { events, changes, sales, before, after }: ReplayAnswer): Replayed => ({
  dryRun: sum.dryRun,
  events: sum.events + events,
  changes: [...sum.changes, ...changes],
  changedSales: [...sum.changedSales, ...sales],
  sales: sum.sales + after.sales - before.sales,
  salesCents: sum.salesCents + after.salesCents - before.salesCents,
  refunds: sum.refunds + after.refunds - before.refunds,
  refundedCents: sum.refundedCents + after.refundedCents - before.refundedCents,
})

const replayPage = async (programId: number, wish: { since: string; dryRun: boolean; after?: string }) =>
  (await api.post<{ data: ReplayAnswer }>(`/api/programs/${programId}/processor/replay`, wish)).data

/** The service replays a page a call; this goes on until the last one, or until nobody waits for it any more. */
export const useReplay = (programId: number) => {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress | null>(null)
  const replay = useMutation({
    mutationFn: async ({ since, dryRun, signal }: Wish) => {
      let sum: Replayed = { ...NOTHING, dryRun }
      let after: string | null = null
      setProgress(null)
      do {
        const data: ReplayAnswer = await replayPage(programId, { since, dryRun, ...(after !== null && { after }) })
        sum = added(sum, data)
        setProgress({ done: sum.events, total: sum.events + data.remaining })
        after = data.next
      } while (after && !signal.aborted)
      return sum
    },
    // A replay that stopped half way has changed what it came to.
    onSettled: (_, __, { dryRun }) => (dryRun ? undefined : queries.invalidateQueries()),
  })
  return { ...replay, progress }
}
