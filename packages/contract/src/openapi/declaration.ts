import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { answerOf, listOf } from '../lists.ts'
import { bodyErrors, type Operation, programErrors, sessionErrors } from './operation.ts'

export { isRowId, type Parameter, type PathParameters } from './parameters.ts'

type Answer =
  /** Content as `{ data }`. */
  | { answer: z.ZodType; list?: undefined; response?: undefined }
  /** The schema of a row, sent as `{ data, meta }`. With `pageQuery` a page of them; with `optionalPageQuery` all rows unless the caller requests a page. */
  | { list: z.ZodType; answer?: undefined; response?: undefined }
  /** The whole body, where it is not `{ data }`. */
  | { response: z.ZodType; answer?: undefined; list?: undefined }

type Body =
  | { request?: undefined; example?: undefined }
  /** `example`: a realistic body, shown in the reference and sent by tests. */
  | { request: z.ZodType; example: object }

type Content = Answer & Body

/** One operation: what a caller sends and gets. What it does is in the server's `runs`. */
export type Declaration = Content & {
  method: Operation['method']
  /** With `{programId}` or `{workspaceId}` it is about that program or workspace, and the caller needs access to it. */
  path: string
  /** A signed-in member unless it says otherwise. */
  caller?: Operation['caller']
  /** Checked for members, of the program or workspace in the path. Without one in the path, the run must check it. */
  permission?: Operation['permission']
  /** For `partner`: signed in, and not necessarily a partner of the program. */
  isOpenToApplicants?: true
  /** Calls per minute from one IP address: of callers without a session, or those that try passwords or links. */
  limit?: 'visitor' | 'signIn'
  summary: string
  description: string
  acceptsIdempotencyKey?: true
  query?: z.ZodObject
  /** No body is the same as `{}`. */
  bodyIsOptional?: true
  /** A body that is a file. */
  upload?: { types: readonly string[]; maxBytes: number }
  /** May also answer with a file, such as CSV. */
  file?: true
  /** May also answer with server-sent events, to `Accept: text/event-stream`, or answers with nothing else. */
  stream?: true | 'only'
  status?: 200 | 201
  /** Besides those that follow from the rest: of access, parameters, query and body. */
  errors?: readonly ErrorCode[]
}

/** Declares the operations of a resource. */
export const operations = <const Declarations extends Record<string, Declaration>>(declarations: Declarations) =>
  declarations

/** What the OpenAPI document needs to know of the declarations, in their order. */
export const listed = (declarations: Record<string, Declaration>): Operation[] =>
  Object.values(declarations).map(
    ({
      answer,
      list,
      response,
      errors,
      upload,
      bodyIsOptional: _,
      stream: __,
      file: ___,
      limit: ____,
      isOpenToApplicants,
      ...declaration
    }) => ({
      ...declaration,
      caller: declaration.caller ?? 'session',
      ...(upload && { file: upload.types }),
      answers: [response ?? (list ? listOf(list) : answerOf(answer))],
      refusals: errorsOf({ ...declaration, errors, upload, isOpenToApplicants }),
    }),
  )

type Errors = Pick<
  Declaration,
  'path' | 'caller' | 'permission' | 'query' | 'request' | 'upload' | 'isOpenToApplicants' | 'errors'
>

const errorsOf = ({ query, request, upload, errors = [], ...access }: Errors): ErrorCode[] => {
  const ofBody = request ? bodyErrors : upload ? bodyErrors.filter((code) => code !== 'invalid_json') : []
  const ofQuery = query ? ['invalid_request' as const] : []
  const names = [...access.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const ofThings = names.some((name) => name !== 'programId') ? ['not_found' as const] : []
  return [...ofBody, ...ofQuery, ...accessErrors(access), ...ofThings, ...errors]
}

const accessErrors = ({ path, caller, permission, isOpenToApplicants }: Errors): ErrorCode[] => {
  if (caller === 'public') return []
  if (caller === 'browser or key') return ['invalid_api_key']
  if (caller === 'key') return ['missing_api_key', 'invalid_api_key', 'rate_limited']
  if (isOpenToApplicants) return ['unauthenticated', 'program_not_found']
  if (path.includes('{programId}')) return programErrors
  return path.includes('{workspaceId}') || permission ? sessionErrors : ['unauthenticated']
}
