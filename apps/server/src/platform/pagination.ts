import type { PageQuery, Pagination } from '@tributary/contract'

/** What a list says about its pages. */
export const paginationOf = ({ page, pageSize, total }: PageQuery & { total: number }): Pagination => ({
  page,
  pageSize,
  pageCount: Math.ceil(total / pageSize),
  total,
})
