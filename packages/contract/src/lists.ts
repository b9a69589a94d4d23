import { z } from 'zod'
import { MAX_PAGE_SIZE, MAX_ROW_ID } from './limits.ts'

export const pageNumber = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')

const page = pageNumber.max(1_000_000, 'must be at most 1000000')
const pageSize = pageNumber.max(MAX_PAGE_SIZE, `must be at most ${MAX_PAGE_SIZE}`)

export const pageQuery = z.object({
  page: page.default(1).describe('Page number, starting at 1'),
  pageSize: pageSize.default(50).describe('Rows per page'),
})
export type PageQuery = z.infer<typeof pageQuery>

/** For short lists, which are returned whole unless the caller asks for a page. */
export const optionalPageQuery = z.object({
  page: page.optional().describe('Page number, starting at 1. Without `page` and `pageSize`, every row is returned'),
  pageSize: pageSize.optional().describe('Rows per page'),
})

/** A leading minus sorts descending: `-createdAt` is newest first. */
export const sortedBy = <const Field extends string>(fields: readonly Field[], first: Field | `-${Field}`) => {
  const orders = fields.flatMap((field) => [field, `-${field}` as const])
  return z
    .enum(orders as [Field | `-${Field}`])
    .default(first as never)
    .describe('Sort order. A leading minus sorts descending')
}

export const searchText = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters')
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL or unpaired surrogates')
  .optional()

export const rowNumber = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .positive('must be positive')
  .max(MAX_ROW_ID, `must be at most ${MAX_ROW_ID}`)

export const pagination = z.strictObject({
  page: z.int(),
  pageSize: z.int(),
  pageCount: z.int().describe('Number of pages'),
  total: z.int().describe('Number of rows on all pages'),
})
export type Pagination = z.infer<typeof pagination>

export const answerOf = <T extends z.ZodType>(data: T) => z.strictObject({ data })

export const listOf = <T extends z.ZodType>(row: T) =>
  z.strictObject({ data: z.array(row), meta: z.strictObject({ pagination }) })

/** A field of the query of a list that is also a file. */
export const csvFormat = { format: z.enum(['csv']).optional().describe('`csv` downloads the whole list as a file') }
