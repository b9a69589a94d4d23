import { answerOf, listOf, optionalPageQuery, type PageQuery, pageQuery, z } from '@tributary/contract'
import type { Declaration } from '@tributary/contract/declarations'
import { type FileAnswer, isFileAnswer } from '../../platform/files.ts'
import { paginationOf } from '../../platform/pagination.ts'
import { isRepeated } from '../../platform/repeated.ts'
import type { Call } from '../context.ts'

type Result = {
  declaration: Declaration
  result: unknown
  query: Record<string, unknown> | undefined
  isChecked: boolean
}

/** Sends what a run returned. `isChecked`: an answer that differs from its schema is an error. */
export const answer = (c: Call, { declaration, result, query, isChecked }: Result) => {
  if (isFileAnswer(result)) return sendFile(c, result)
  if (isRepeated(result)) return answerJson(c, { declaration, result: result.data, query, isChecked }, 200)
  return answerJson(c, { declaration, result, query, isChecked }, declaration.status ?? 200)
}

const answerJson = (c: Call, { declaration, result, query, isChecked }: Result, status: 200 | 201) => {
  const { list, response } = declaration
  const body = list ? pageOf(result as Rows, query) : response ? result : { data: result }
  if (isChecked) refuseWrongAnswer(declaration, body)
  return c.json(body, status)
}

type Rows = readonly unknown[] | { rows: readonly unknown[]; total: number }

/** A run returns a page, or all rows of a short list, which are sent whole unless the caller asks for a page. */
const pageOf = (result: Rows, query: unknown) => {
  if ('rows' in result) return asList(result.rows, { ...pageQuery.parse(query), total: result.total })
  const total = result.length
  const asked = optionalPageQuery.parse(query ?? {})
  const isPaged = asked.page !== undefined || asked.pageSize !== undefined
  const { page, pageSize } = isPaged ? pageQuery.parse(asked) : { page: 1, pageSize: Math.max(total, 1) }
  return asList(result.slice((page - 1) * pageSize, page * pageSize), { page, pageSize, total })
}

const asList = (rows: readonly unknown[], place: PageQuery & { total: number }) => ({
  data: rows,
  meta: { pagination: paginationOf(place) },
})

const sendFile = async (c: Call, { body, headers }: FileAnswer) => {
  // HEAD is routed here too. An unread stream would never be closed.
  if (
    c.req.method === 'HEAD' &&
    body instanceof ReadableStream &&
    headers['content-type']?.startsWith('text/event-stream')
  ) {
    await body.cancel()
    return c.body(null, 200, headers)
  }
  return c.body(body instanceof ReadableStream ? body : new Uint8Array(body), 200, headers)
}

/** As the caller will read it: dates are text by then. */
const refuseWrongAnswer = ({ method, path, answer, list, response }: Declaration, body: unknown) => {
  const schema = response ?? (list ? listOf(list) : answerOf(answer))
  const { error } = schema.safeParse(JSON.parse(JSON.stringify(body)))
  if (error)
    throw new Error(
      `${method} ${path} returned an answer that does not match its declaration:\n${z.prettifyError(error)}`,
    )
}
