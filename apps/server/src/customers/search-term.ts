import type { SearchTerm } from '../database/sql/search.ts'
import { hashEmail } from './customers.ts'

/** What a list's search box looks for. */
export const searchTerm = (hashKey: string, text: string | undefined): SearchTerm | undefined => {
  if (text === undefined) return undefined
  const email = hashEmail(hashKey, text)
  return { text, emailHashes: email ? [email.hash, email.mailboxHash] : [] }
}
