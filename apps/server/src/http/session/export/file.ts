import type { ExportQuery, Permission } from '@tributary/contract'
import type { Database } from '../../../database/connect.ts'
import { decimal } from '../../../money/decimal.ts'
import type { Program } from '../../../programs/programs.ts'
import type { Cell } from '../csv.ts'

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
  read: (lastId: number | undefined) => Promise<Row[]>,
  cells: (row: Row) => Cell[],
) {
  let lastId: number | undefined
  for (;;) {
    const rows = await read(lastId)
    yield rows.map(cells)
    if (rows.length < ROWS) return
    lastId = rows.at(-1)?.id
  }
}
