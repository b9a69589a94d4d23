import { z } from 'zod'
import { MAX_PAGE_SIZE, MAX_ROW_ID } from './limits.ts'

export const pageNumber = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')

const page = pageNumber.max(1_000_000, 'must be at most 1000000')
const pageSize = pageNumber.max(MAX_PAGE_SIZE, `must be at most ${MAX_PAGE_SIZE}`)

/** Which part of a list is asked for. */
export const pageQuery = z.object({ page: page.default(1), pageSize: pageSize.default(50) })
export type PageQuery = z.infer<typeof pageQuery>

/** Of a list that is short, or of use only as a whole. */
export const partQuery = z.object({
  page: page.optional().describe('Without it and `pageSize`, all rows are one page'),
  pageSize: pageSize.optional(),
})

/** One of these, or with a minus in front the other way round: `-createdAt` is newest first. */
export const sortedBy = <const Field extends string>(fields: readonly Field[], first: Field | `-${Field}`) => {
  const ways = fields.flatMap((field) => [field, `-${field}` as const])
  return z.enum(ways as [Field | `-${Field}`]).default(first as never)
}

/** A word that somebody looks for. */
export const searchWord = z
  .string()
  .min(1, 'must not be empty')
  .max(120, 'must be at most 120 characters')
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL or broken characters')
  .optional()

export const rowNumber = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .positive('must be positive')
  .max(MAX_ROW_ID, `must be at most ${MAX_ROW_ID}`)

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
