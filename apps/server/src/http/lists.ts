import { optionalPageQuery, type PageQuery, pageQuery, rowIdText } from '@tributary/contract'
import { paginationOf } from '../platform/pagination.ts'
import type { Call } from './context.ts'
import { check } from './read-json.ts'

export const readPage = (c: Call): PageQuery => check(pageQuery, c.req.query())

export const answerList = <Row>(c: Call, rows: Row[], place: PageQuery & { total: number }) =>
  c.json({ data: rows, meta: { pagination: paginationOf(place) } })

/** Answers with all rows, unless the caller asks for a page. */
export const answerWhole = <Row>(c: Call, rows: Row[]) => {
  const query = check(optionalPageQuery, c.req.query())
  const total = rows.length
  const isPaged = query.page !== undefined || query.pageSize !== undefined
  const { page, pageSize } = isPaged ? readPage(c) : { page: 1, pageSize: Math.max(total, 1) }
  return answerList(c, rows.slice((page - 1) * pageSize, page * pageSize), { page, pageSize, total })
}

/** A row ID from the path, or null if it cannot be one. */
export const pathId = (c: Call, name: string) => rowIdText.safeParse(c.req.param(name)).data ?? null

export { orNotFound } from '../platform/or-not-found.ts'
