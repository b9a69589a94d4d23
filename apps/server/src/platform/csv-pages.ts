import type { ExportQuery, Permission } from '@tributary/contract'
import { toDecimal } from '@tributary/contract'
import type { Cell } from '@tributary/contract/csv'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'

export type { Cell }

/** Rows read at a time, so that memory use does not depend on the length of the file. */
export const ROWS = 500

export type ExportRequest = { db: Database; program: Program; query: ExportQuery; at: Date }

export type File = {
  permission: Permission
  columns: string[]
  rows: (request: ExportRequest) => AsyncGenerator<Cell[][]>
}

export const money = (rows: { currency: string; amountCents: number }[]) =>
  rows.map(({ currency, amountCents }) => `${toDecimal(amountCents, currency)} ${currency}`).join(' + ')

/** Reads page by page until one is not full. */
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

/** Keyset pagination: rows added meanwhile do not shift the pages. */
export const keysetPages = async function* <Row extends { id: number }>(
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

/** Reads rows by ID in a fixed order: rows added or changed meanwhile do not shift the pages. */
export const pagesById = async function* <Row extends { id: number }>(
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

/** For lists that are recalculated for every page and have at most one row per partner or payout. */
export const WHOLE_LIST = { page: 1, pageSize: Number.MAX_SAFE_INTEGER }

/** Splits rows that are already in memory. */
export const chunks = async function* <Row>(rows: Row[], cells: (row: Row) => Cell[]) {
  for (let start = 0; start < rows.length; start += ROWS) yield rows.slice(start, start + ROWS).map(cells)
}
