import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isOutdatedPlan } from '../bad-weather.ts'
import { giveUpWhenLongOverdue, giveUpWhenOverdue, LONGER } from '../overdue.ts'

/** Each connection keeps the plans of so many statements; texts that come in ever new forms do not fill its memory. */
const MOST_STATEMENTS = 400

/** The names under which the connections of a pool keep their statements. */
export const statementNames = () => {
  const names = new Map<string, string>()
  return (text: string) => {
    const known = names.get(text)
    if (known || names.size >= MOST_STATEMENTS) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
}

/**
 * A connection that has Postgres parse and plan each text once. The stories of money are many short statements, always the
 * same ones, of which planning was the larger part.
 */
export const prepared = (client: pg.PoolClient, nameOf: ReturnType<typeof statementNames>) => {
  let isStale = false
  let hasLonger = false
  const query = (text: string, values: unknown[]) =>
    new Promise<pg.QueryResult>((resolve, reject) => {
      const inTime = hasLonger ? giveUpWhenLongOverdue(reject) : giveUpWhenOverdue(reject)
      hasLonger ||= text === LONGER
      const name = values.length > 0 ? nameOf(text) : undefined
      client.query(name ? { name, text, values } : { text, values }, (error, result) => {
        inTime()
        isStale ||= isOutdatedPlan(error)
        if (error) reject(error)
        else resolve(result)
      })
    })
  return { query, release: () => client.release(isStale) } as unknown as PostgresPoolClient
}
