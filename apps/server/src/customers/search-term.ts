import type { SearchTerm } from '../database/sql/search.ts'
import { hashEmail } from './customers.ts'

/** What a list's search box looks for. */
export const searchTerm = (hashKey: string, text: string | undefined): SearchTerm | undefined =>
  text === undefined ? undefined : { text, emailHash: hashEmail(hashKey, text)?.hash ?? null }
