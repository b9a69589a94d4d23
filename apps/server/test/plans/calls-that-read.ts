import { EXPORT_FILES } from '@tributary/contract'
import { openApiDocument } from '@tributary/contract/openapi'
import { OPERATIONS } from '@tributary/contract/operations'

type Parameter = { name: string; in: string; schema: { enum?: string[]; type?: string } }

const { paths } = openApiDocument() as unknown as {
  paths: Record<string, { get?: { parameters?: Parameter[] } }>
}

/** Routes about the caller, and streams, which stay open. The events of a program are read one page at a time, by their number. */
const NOT_LISTS = /^\/api\/(me$|auth\/|invitations\/|portal\/view$|v1\/events$|.*\/stream$|tracking\/events\/.*eventId)/

/** Files of the portal. */
const STATEMENTS = ['earnings', 'payouts']

/** Where a list starts and how long it is; how much Postgres reads for the first page is what counts. */
const PLACES = ['page', 'pageSize', 'limit', 'after', 'cursor', 'timestamp', 'audience', 'dateTo']

/** A value for each parameter that is no enumeration; names of rows have the same name. */
const VALUES: Record<string, string> = {
  search: 'customer',
  q: 'customer',
  country: 'DE',
  currency: 'USD',
  months: '6',
  type: 'invoice.created',
  reason: 'ignored_type',
  version: '1',
  withinSeconds: '60',
  codeId: '1',
  processor: 'stripe',
  scope: '',
}

/** What some routes cannot be called without. */
const NEEDED: Record<string, string> = {
  '/api/tracking/breakdown/{programId}': 'by=link',
  '/api/programs/{programId}/search': 'q=customer',
}

/** Takes exactly one of its parameters. */
const EXPLAIN = '/api/programs/{programId}/explain'

const isCallable = (path: string, query: string) =>
  path !== EXPLAIN || /^(invoice_id|customer_key|click_id)=/.test(query)

const DAY_MS = 86_400_000
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

const optionsOf = ({ name, schema }: Parameter) => {
  if (PLACES.includes(name)) return []
  if (name === 'dateFrom') return [`dateFrom=${dayAgo(40)}&dateTo=${dayAgo(0)}`]
  if (schema.enum) return schema.enum.map((value) => `${name}=${value}`)
  return [`${name}=${VALUES[name] ?? `{${name}}`}`]
}

const withNeeded = (needed: string | undefined, query: string) => {
  const isIncluded = needed === undefined || query.split('=')[0] === needed.split('=')[0]
  return isIncluded ? query : [needed, query].filter(Boolean).join('&')
}

const filesOf = (path: string, caller: string) => {
  if (!path.endsWith('/export/{file}')) return [path]
  return (caller === 'partner' ? STATEMENTS : EXPORT_FILES).map((file) => path.replace('{file}', `${file}.csv`))
}

/** Every route with which members and partners read, plain and with each value of each of its parameters alone. */
export const CALLS_THAT_READ = OPERATIONS.filter(
  ({ method, path, caller }) => method === 'get' && ['session', 'partner'].includes(caller) && !NOT_LISTS.test(path),
).flatMap(({ path, caller }) => {
  const inQuery = (paths[path]?.get?.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const queries = ['', ...inQuery.flatMap(optionsOf)].filter((query) => isCallable(path, query))
  return filesOf(path, caller).map((template) => ({
    caller,
    template,
    queries: queries.map((query) => withNeeded(NEEDED[path], query)),
  }))
})
