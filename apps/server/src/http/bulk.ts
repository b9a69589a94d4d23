import type { BulkResult } from '@tributary/contract'
import { Refusal } from '../refusal.ts'

export { ID_LIMIT, refuseTooMany } from '../platform/bulk.ts'

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
