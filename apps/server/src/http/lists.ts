import { type PageQuery, type Pagination, pageQuery, partQuery, rowIdText } from '@tributary/contract'
import { Refusal } from '../refusal.ts'
import type { Call } from './context.ts'
import { check } from './read-json.ts'

export const readPage = (c: Call): PageQuery => check(pageQuery, c.req.query())

export const paginationOf = ({ page, pageSize, total }: PageQuery & { total: number }): Pagination => ({
  page,
  pageSize,
  pageCount: Math.ceil(total / pageSize),
  total,
})

/** A list answer: its rows, and where in the whole they stand. */
export const answerList = <Row>(c: Call, rows: Row[], place: PageQuery & { total: number }) =>
  c.json({ data: rows, meta: { pagination: paginationOf(place) } })

/** A list that is made as a whole, and answered so unless somebody asks for a part of it. */
export const answerWhole = <Row>(c: Call, rows: Row[]) => {
  const asked = check(partQuery, c.req.query())
  const total = rows.length
  const isPart = asked.page !== undefined || asked.pageSize !== undefined
  const { page, pageSize } = isPart ? readPage(c) : { page: 1, pageSize: Math.max(total, 1) }
  return answerList(c, rows.slice((page - 1) * pageSize, page * pageSize), { page, pageSize, total })
}

/** The number in a path, or null where no row could have it. */
export const numberIn = (c: Call, name: string) => rowIdText.safeParse(c.req.param(name)).data ?? null

export const orNotFound = <Row>(row: Row | undefined | null, what: string): Row => {
  if (row === undefined || row === null) throw new Refusal('not_found', `This program has no such ${what}.`)
  return row
}
