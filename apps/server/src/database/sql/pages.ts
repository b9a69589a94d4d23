import type { SelectQueryBuilder } from 'kysely'

export type Page = { page: number; pageSize: number }

/** One page of a query and the total row count. */
export const pageOf = async <Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { page, pageSize }: Page,
) => {
  const [rows, counted] = await Promise.all([
    query
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute(),
    query
      .clearSelect()
      .clearOrderBy()
      .select((expression) => expression.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: (counted as { total: number }).total }
}
