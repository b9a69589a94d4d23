import { MAX_SELECTED } from '@tributary/contract'
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
