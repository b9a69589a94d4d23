import { z } from 'zod'
import { MAX_PAGE_SIZE } from './limits.ts'

const pageNumber = z.coerce.number('must be a whole number').int('must be a whole number').min(1, 'must be at least 1')

/** Which part of a list is asked for. */
export const pageQuery = z.object({
  page: pageNumber.max(1_000_000, 'must be at most 1000000').default(1),
  pageSize: pageNumber.max(MAX_PAGE_SIZE, `must be at most ${MAX_PAGE_SIZE}`).default(50),
})
export type PageQuery = z.infer<typeof pageQuery>

export const pagination = z.strictObject({
  page: z.int(),
  pageSize: z.int(),
  pageCount: z.int(),
  total: z.int(),
})
export type Pagination = z.infer<typeof pagination>

export const answerOf = <T extends z.ZodType>(data: T) => z.strictObject({ data })

export const listOf = <T extends z.ZodType>(row: T) =>
  z.strictObject({ data: z.array(row), meta: z.strictObject({ pagination }) })
