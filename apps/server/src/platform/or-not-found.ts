import { Refusal } from '../refusal.ts'

/** What a path names, or a refusal. */
export const orNotFound = <Row>(row: Row | undefined | null, what: string): Row => {
  if (row === undefined || row === null)
    throw new Refusal('not_found', `This ${what} does not exist. Check the ID in the path.`)
  return row
}
