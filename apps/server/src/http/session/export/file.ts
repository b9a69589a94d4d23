import type { ExportQuery, Permission } from '@tributary/contract'
import type { Database } from '../../../database/connect.ts'
import { decimal } from '../../../money/payouts/decimal.ts'
import type { Program } from '../../../programs/programs.ts'
import type { Cell } from '../../csv.ts'

/** So many rows are in memory at a time, however long the file is. */
export const ROWS = 500

export type Asked = { db: Database; program: Program; query: ExportQuery; at: Date }

/** Who may have it, its columns, and its rows a few hundred at a time. */
export type File = { permission: Permission; columns: string[]; rows: (asked: Asked) => AsyncGenerator<Cell[][]> }

export const money = (rows: { currency: string; amountCents: number }[]) =>
  rows.map(({ currency, amountCents }) => `${decimal(amountCents, currency)} ${currency}`).join(' + ')

/** Page after page, until one is not full. */
export const pages = async function* <Row>(
  read: (page: { page: number; pageSize: number }) => Promise<{ rows: Row[] }>,
  cells: (row: Row) => Cell[],
) {
  for (let page = 1; ; page++) {
    const { rows } = await read({ page, pageSize: ROWS })
    yield rows.map(cells)
    if (rows.length < ROWS) return
  }
}

/** From the last row on: what comes meanwhile moves nothing. */
export const onward = async function* <Row extends { id: number }>(
  read: (lastId: number | undefined, last: Row | undefined) => Promise<Row[]>,
  cells: (row: Row) => Cell[],
) {
  let last: Row | undefined
  for (;;) {
    const rows: Row[] = await read(last?.id, last)
    yield rows.map(cells)
    if (rows.length < ROWS) return
    last = rows.at(-1)
  }
}

/** Rows whose order was read before: what comes or changes meanwhile moves nothing. */
export const inOrder = async function* <Row extends { id: number }>(
  ids: number[],
  read: (ids: number[]) => Promise<Row[]>,
  cells: (row: Row) => Cell[],
) {
  for (let start = 0; start < ids.length; start += ROWS) {
    const part = ids.slice(start, start + ROWS)
    const rows = new Map((await read(part)).map((row) => [row.id, row]))
    yield part.flatMap((id) => rows.get(id) ?? []).map(cells)
  }
}

/** Of what is added up anew for every page, and is no longer than there are partners or payouts. */
export const WHOLE_LIST = { page: 1, pageSize: Number.MAX_SAFE_INTEGER }

/** Rows that come all at once, written a few hundred at a time. */
export const inParts = async function* <Row>(rows: Row[], cells: (row: Row) => Cell[]) {
  for (let start = 0; start < rows.length; start += ROWS) yield rows.slice(start, start + ROWS).map(cells)
}
