import { type BulkResult, MAX_SELECTED } from '@tributary/contract'
import { Refusal } from '../refusal.ts'

/** One more than can be selected, to tell when there are too many. */
export const ID_LIMIT = MAX_SELECTED + 1

export const refuseTooMany = (ids: number[], noun: string) => {
  if (ids.length > MAX_SELECTED)
    throw new Refusal(
      'conflict',
      `More than ${MAX_SELECTED.toLocaleString('en-US')} ${noun} match. Narrow the filters, then select them again.`,
    )
  return { ids }
}

/** Codes that say why one row cannot be changed. Any other error stops the call; calling again continues. */
const SKIPPED = ['conflict', 'not_found', 'invalid_request']

/** Runs an action on each row, in its own transaction, and counts those it does not apply to by reason. */
export const runBulk = async (ids: number[], run: (id: number) => Promise<unknown>): Promise<BulkResult> => {
  const skipped = new Map<string, number>()
  const all = [...new Set(ids)]
  for (const id of all)
    try {
      await run(id)
    } catch (error) {
      if (!(error instanceof Refusal && SKIPPED.includes(error.code))) throw error
      const reason = error.inShort ?? (error.code === 'not_found' ? 'not found' : error.message)
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    }
  const counts = [...skipped].map(([reason, count]) => ({ reason, count }))
  return { done: all.length - counts.reduce((sum, { count }) => sum + count, 0), skipped: counts }
}
