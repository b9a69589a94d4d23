import pg from 'pg'
import { DIRECTORY, SHARD } from './places.ts'

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Matches Kysely calls, SQL of ours and SQL of Kysely that name one of the tables. */
const naming = (tables: string[]) =>
  new RegExp(
    [
      `([fF]rom|[jJ]oin|insertInto|updateTable|using)\\(\\s*\\[?'(${tables.map(camel).join('|')})\\b`,
      `\\b(FROM|JOIN|USING|INTO|UPDATE) (${tables.join('|')})\\b`,
      `\\b(from|join|using|into|update) "(${tables.join('|')})"`,
    ].join('|'),
  )
/** Tables that SQL of ours names; the types check those of Kysely. */
export const tablesInSql = (text: string) =>
  [...text.matchAll(/\b(?:FROM|JOIN|USING|INTO|UPDATE) ([a-z_]+)\b/g)].map(([, table]) => table ?? '')

const ofDirectory = naming(DIRECTORY)
const ofShard = naming(SHARD)

/** Whether a statement names tables of the directory and of a shard (places.ts). */
export const crosses = (statement: string) => ofDirectory.test(statement) && ofShard.test(statement)

const known = new Set<string>()
const crossing = new Set<string>()

/** The crossing statements since the last call: files that share a process report only their own. */
export const takeCrossingStatements = () => {
  const statements = [...crossing]
  crossing.clear()
  return statements
}

const SERVICE = /^tributary/

/** Looks at every statement that the service sends in this process. Tests may join what they like. */
export const watchStatements = () => {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    const [given] = parameters as [string | { text?: string }]
    const text = typeof given === 'string' ? given : given?.text
    if (text !== undefined && !known.has(text)) {
      known.add(text)
      const { application_name } = (this as unknown as { connectionParameters: { application_name?: string } })
        .connectionParameters
      if (
        SERVICE.test(application_name ?? '') &&
        /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(text) &&
        crosses(text)
      )
        crossing.add(text)
    }
    return query.apply(this, parameters as Parameters<typeof query>)
  } as typeof query
}
