import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReplayAnswer } from '@tributary/contract'
import { useState } from 'react'
import { call } from '~/api/call.ts'

export type Replayed = {
  dryRun: boolean
  events: number
  changes: ReplayAnswer['changes']
  changedSales: ReplayAnswer['sales']
  /** Differences between after and before. */
  sales: number
  salesCents: number
  refunds: number
  refundedCents: number
}
export type Progress = { done: number; total: number }
type ReplayRequest = { since: string; dryRun: boolean; signal: AbortSignal }

const NOTHING = { events: 0, changes: [], changedSales: [], sales: 0, salesCents: 0, refunds: 0, refundedCents: 0 }

/** A dry run rolls back each page separately, so its total is the sum of the pages. */
const addPage = (sum: Replayed, { events, changes, sales, before, after }: ReplayAnswer): Replayed => ({
  dryRun: sum.dryRun,
  events: sum.events + events,
  changes: [...sum.changes, ...changes],
  changedSales: [...sum.changedSales, ...sales],
  sales: sum.sales + after.sales - before.sales,
  salesCents: sum.salesCents + after.salesCents - before.salesCents,
  refunds: sum.refunds + after.refunds - before.refunds,
  refundedCents: sum.refundedCents + after.refundedCents - before.refundedCents,
})

/** The service replays one page per call; this calls it until the last page or until the caller aborts. */
export const useReplay = (programId: number) => {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress | null>(null)
  const replay = useMutation({
    mutationFn: async ({ since, dryRun, signal }: ReplayRequest) => {
      let sum: Replayed = { ...NOTHING, dryRun }
      let after: string | null = null
      setProgress(null)
      do {
        const body = { since, dryRun, ...(after !== null && { after }) }
        const data: ReplayAnswer = await call('post /api/programs/{programId}/processor/replay', { programId, body })
        sum = addPage(sum, data)
        setProgress({ done: sum.events, total: sum.events + data.remaining })
        after = data.next
      } while (after && !signal.aborted)
      return sum
    },
    // A replay that stopped halfway has still changed data.
    onSettled: (_, __, { dryRun }) => (dryRun ? undefined : queries.invalidateQueries()),
  })
  return { ...replay, progress }
}
