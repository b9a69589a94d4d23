import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BulkResult } from '@tributary/contract'
import { MAX_BULK } from '@tributary/contract/limits'
import { useState } from 'react'

/** `stopped`: the error that ended it after some rows were changed. */
export type BulkOutcome = BulkResult & { stopped?: unknown }

/** One call to the service. */
type Run<Input> = (ids: number[], input: Input) => Promise<BulkResult>

/** Runs an action on any number of rows, a part at a time, with its progress. `size`: rows per call. */
export const useBulk = <Input = void>(run: Run<Input>, { size = MAX_BULK } = {}) => {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null)
  const mutation = useMutation({
    mutationFn: async ({ ids, input }: { ids: number[]; input: Input }): Promise<BulkOutcome> => {
      let result: BulkResult = { done: 0, skipped: [] }
      for (let first = 0; first < ids.length; first += size) {
        setProgress({ done: first, total: ids.length })
        try {
          result = add(result, await run(ids.slice(first, first + size), input))
        } catch (error) {
          if (first === 0) throw error
          return { ...result, stopped: error }
        }
      }
      return result
    },
    onSettled: () => {
      setProgress(null)
      return queries.invalidateQueries()
    },
  })
  return { ...mutation, progress }
}

const add = (one: BulkResult, other: BulkResult): BulkResult => {
  const counts = new Map<string, number>()
  for (const { reason, count } of [...one.skipped, ...other.skipped])
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  return { done: one.done + other.done, skipped: [...counts].map(([reason, count]) => ({ reason, count })) }
}

/** For routes that only say how many they changed. */
export const resultOf = ({ asked, done, reason }: { asked: number; done: number; reason: string }): BulkResult => ({
  done,
  skipped: asked > done ? [{ reason, count: asked - done }] : [],
})
