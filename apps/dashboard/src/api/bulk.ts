import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BulkResult } from '@tributary/contract'
import { MAX_BULK } from '@tributary/contract/limits'
import { useState } from 'react'
import { api, type Query } from './client.ts'

/** The IDs of everything that matches a list's filters; the service refuses too many. */
export const loadIds = async (
  programId: number,
  list: 'partners' | 'links' | 'commissions',
  { page: _page, sort: _sort, pageSize: _size, ...filter }: Query,
) => (await api.get<{ data: { ids: number[] } }>(`/api/programs/${programId}/${list}/ids`, filter)).data.ids

/** `stopped`: the error that ended it after some rows were changed. */
export type BulkOutcome = BulkResult & { stopped?: unknown }

type Options<Input> = {
  /** One call to the service. */
  run: (ids: number[], input: Input) => Promise<BulkResult>
  /** What to read again afterwards: everything unless it says otherwise. */
  invalidate?: () => Promise<unknown>
  /** Rows per call. */
  size?: number
}

/** Runs an action on any number of rows, a part at a time, with its progress. */
export const useBulk = <Input = void>({ run, invalidate, size = MAX_BULK }: Options<Input>) => {
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
      return invalidate ? invalidate() : queries.invalidateQueries()
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
