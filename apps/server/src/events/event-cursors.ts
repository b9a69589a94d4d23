import { type RawBuilder, sql } from 'kysely'
import { Refusal } from '../refusal.ts'
import type { Source } from './event-sources.ts'

/** The last row of a page. Order: newest first, then by rank, then by descending ID. */
export type Cursor = { at: string; rank: number; id: string }

export const cursorOf = ({ exactly, rank, id }: { exactly: string; rank: number; id: string }) =>
  Buffer.from(`${exactly} ${rank} ${id}`).toString('base64url')

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([0-5]) ([0-9a-f-]{1,36})$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const readCursor = (text: string): Cursor => {
  const [, at = '', rank = '', id = ''] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  const isValidId = rank === '0' ? UUID.test(id) : /^\d{1,18}$/.test(id)
  // Date.parse accepts 30 February.
  const isDay = !Number.isNaN(Date.parse(at)) && new Date(at).toISOString().startsWith(at.slice(0, 10))
  if (!isDay || !isValidId)
    throw new Refusal('invalid_request', 'cursor must be the nextCursor of a page.', { field: 'cursor' })
  return { at, rank: Number(rank), id }
}

/** A condition for one source's rows after the cursor. */
export const afterCursor = (cursor: Cursor | null, { rank, time, id }: Source): RawBuilder<unknown> => {
  if (!cursor) return sql``
  const [timeColumn, idColumn] = [sql.raw(time), sql.raw(id)]
  if (rank < cursor.rank) return sql`AND ${timeColumn} < ${cursor.at}::timestamptz`
  if (rank > cursor.rank) return sql`AND ${timeColumn} <= ${cursor.at}::timestamptz`
  const type = sql.raw(rank === 0 ? 'uuid' : 'bigint')
  return sql`AND (${timeColumn}, ${idColumn}) < (${cursor.at}::timestamptz, ${cursor.id}::${type})`
}
