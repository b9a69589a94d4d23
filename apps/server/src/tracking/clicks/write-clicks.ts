import type { ErrorCode } from '@tributary/contract'
import type pg from 'pg'
import { binaryArrays } from '../../database/sql/binary-arrays.ts'
import { isUniqueViolation } from '../../database/transient-errors.ts'
import { type ClickRow, COLUMNS, clickStatement } from './click-statement.ts'

export type WrittenClick =
  | { refusal: Extract<ErrorCode, 'link_not_found' | 'link_misconfigured' | 'link_disabled'> }
  | { refusal: null; click_id: string; partner_code: string; cookie_window_days: number }

const ARRAYS = COLUMNS.map(([, type, field]) => ({ type, of: (row: ClickRow) => row[field] }))

const prepared = (name: string, mayBe: Parameters<typeof clickStatement>[0]) => ({ name, text: clickStatement(mayBe) })
// Most visitors are new, and a batch of nothing else is written for three quarters of the price.
const WRITE_NEW = prepared('write-new-clicks', { mayBeKnown: false, mayBeStored: false })
const WRITE = prepared('write-clicks', { mayBeKnown: true, mayBeStored: false })
const WRITE_AGAIN = prepared('write-clicks-again', { mayBeKnown: true, mayBeStored: true })

/** Writes a batch of clicks and says for each what became of it, in order. Rows that are stored already stay as they are. */
export const writeClicks = async (pool: pg.Pool, rows: ClickRow[], slot: number): Promise<WrittenClick[]> => {
  const values = [...binaryArrays(rows, ARRAYS), slot]
  const isKnown = rows.some((row) => row.existingClickId !== null)
  try {
    return (await pool.query<WrittenClick>({ ...(isKnown ? WRITE : WRITE_NEW), values })).rows
  } catch (error) {
    // Looking for each row before writing it takes a tenth of Postgres' time, and only a lost connection needs it.
    if (!isUniqueViolation(error)) throw error
    return (await pool.query<WrittenClick>({ ...WRITE_AGAIN, values })).rows
  }
}
