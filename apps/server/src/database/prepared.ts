import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isOutdatedPlan } from './bad-weather.ts'

/** Each connection keeps the plans of so many statements; texts that come in ever new forms do not fill its memory. */
const MOST_STATEMENTS = 400

const names = new Map<string, string>()

const nameOf = (text: string) => {
  const known = names.get(text)
  if (known || names.size >= MOST_STATEMENTS) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

/**
 * A connection that has Postgres parse and plan each text once. The stories of money are many short statements, always the
 * same ones, of which planning was the larger part.
 */
export const prepared = (client: pg.PoolClient) => {
  let isStale = false
  const query = async (text: string, values: unknown[]) => {
    const name = values.length > 0 ? nameOf(text) : undefined
    try {
      return await client.query(name ? { name, text, values } : { text, values })
    } catch (error) {
      isStale ||= isOutdatedPlan(error)
      throw error
    }
  }
  return { query, release: () => client.release(isStale) } as unknown as PostgresPoolClient
}
