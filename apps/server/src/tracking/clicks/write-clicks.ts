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
// Most visitors are new, and a batch of only new visitors takes a quarter less time.
const WRITE_NEW = prepared('write-new-clicks', { mayBeKnown: false, mayBeStored: false })
const WRITE = prepared('write-clicks', { mayBeKnown: true, mayBeStored: false })
const WRITE_AGAIN = prepared('write-clicks-again', { mayBeKnown: true, mayBeStored: true })

/**
 * Writes a batch of clicks and returns one result per row, in order. Rows that are already stored do not change. New click IDs start
 * with `prefix`.
 */
export const writeClicks = async (
  pool: pg.Pool,
  rows: ClickRow[],
  slot: number,
  prefix = '',
): Promise<WrittenClick[]> => {
  const values = [...binaryArrays(rows, ARRAYS), slot, prefix]
  const isKnown = rows.some((row) => row.existingClickId !== null)
  try {
    return (await pool.query<WrittenClick>({ ...(isKnown ? WRITE : WRITE_NEW), values })).rows
  } catch (error) {
    // A retry after a lost connection. Checking every row up front would cost Postgres a tenth of its time.
    if (!isUniqueViolation(error)) throw error
    return (await pool.query<WrittenClick>({ ...WRITE_AGAIN, values })).rows
  }
}
