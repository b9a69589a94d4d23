import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { RAISE_STATEMENT_TIMEOUT, startLongQueryTimeout, startQueryTimeout } from '../query-timeout.ts'
import { isOutdatedPlan } from '../transient-errors.ts'

/** Plans kept per connection; the cap bounds memory when statement texts keep changing. */
const MAX_STATEMENTS = 400

/** Prepared statement names, shared by a pool's connections. */
export const statementNames = () => {
  const names = new Map<string, string>()
  return (text: string) => {
    const known = names.get(text)
    if (known || names.size >= MAX_STATEMENTS) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
}

/** Prepares each statement once per connection. Money operations are many short, repeated statements, dominated by planning. */
export const prepared = (client: pg.PoolClient, nameOf: ReturnType<typeof statementNames>) => {
  let isStale = false
  let hasLongTimeout = false
  const query = (text: string, values: unknown[]) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      const cancelTimeout = hasLongTimeout ? startLongQueryTimeout(reject) : startQueryTimeout(reject)
      hasLongTimeout ||= text === RAISE_STATEMENT_TIMEOUT
      const name = values.length > 0 ? nameOf(text) : undefined
      client.query(name ? { name, text, values } : { text, values }, (error, result) => {
        cancelTimeout()
        isStale ||= isOutdatedPlan(error)
        if (error) reject(error)
        else resolve(result)
      })
    })
  return { query, release: () => client.release(isStale) } as unknown as PostgresPoolClient
}
