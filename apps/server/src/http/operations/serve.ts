import { rowIdText } from '@tributary/contract'
import { type Declaration, isRowId } from '@tributary/contract/declarations'
import { inTransaction } from '../../database/transaction.ts'
import { userOf } from '../../platform/actor.ts'
import { check } from '../../platform/check.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import type { Operations, Stream } from '../../platform/runs.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { refusalBody, refusalOf } from '../errors.ts'
import { readBytes } from '../files/read-bytes.ts'
import { readJson, readOptionalJson } from '../read-json.ts'
import { type Admitted, admit, auditOf, isStillAdmitted } from './access.ts'
import { answer } from './answer.ts'

type Operation = Operations[number]

/**
 * Routes for operations. Each call is refused for the first of these that applies: who are you, does the program exist for you,
 * may you, is the thing there, is the request well-formed.
 */
export const serve = (app: App, dependencies: Dependencies, operations: Operations) => {
  for (const operation of operations.toSorted(byPath)) {
    const { declaration } = operation
    const path = declaration.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(declaration.method.toUpperCase(), path, async (c) => {
      const { clock, checkAnswers: isChecked } = dependencies
      const admitted = await admit(c, dependencies, declaration)
      const { params, things } = await findThings(c, dependencies, { operation, admitted })
      const caller = { ip: c.get('clientIp'), signal: c.req.raw.signal }
      // Nothing in the path can replace the caller's own partner.
      const known = { params, ...things, ...admitted, ...caller, clock, audit: auditOf(c, admitted) }
      await operation.allow?.({ ...known, db: dependencies.db })
      const query = declaration.query && check(declaration.query, c.req.query())
      const body = await readBody(c, declaration)
      const stream = streamOf(c, dependencies, { declaration, admitted })
      const result = await run(dependencies, operation, { ...known, query, ...body, ...stream })
      return answer(c, { declaration, result, query, isChecked })
    })
  }
}

/** `links/ids` before `links/{linkId}`, which it matches too. */
const byPath = ({ declaration: { path: one } }: Operation, { declaration: { path: other } }: Operation) => {
  const [first, second] = [one.replaceAll('{', '~'), other.replaceAll('{', '~')]
  return first === second ? 0 : first < second ? -1 : 1
}

const run = ({ db }: Dependencies, operation: Operation, input: Record<string, unknown>) => {
  if (!operation.hasTransaction) return operation.run({ ...input, db })
  return inTransaction(db, async (tx) => operation.run({ ...input, tx }))
}

type Found = { operation: Operation; admitted: Admitted }

/** The parameters of the path, and what they name. A parameter without a thing, such as a token, is left to the run. */
const findThings = async (c: Call, { db, clock }: Dependencies, { operation, admitted }: Found) => {
  const { declaration, things } = operation
  const { actor, partner } = admitted
  const caller = { userId: userOf(actor), ...(partner && { partnerId: partner.partnerId }), at: clock() }
  const params: Record<string, number | string> = {}
  const found: Record<string, unknown> = {}
  for (const [, name = ''] of declaration.path.matchAll(/\{(\w+)\}/g)) {
    const text = c.req.param(name) ?? ''
    const thing = things[name]
    const value = isRowId(name) ? rowIdText.safeParse(text).data : text
    params[name] = orNotFound(value, thing?.what ?? name.replace(/Id$/, ''))
    if (!thing) continue
    // After the path's parameters: a path cannot name another partner than the caller's.
    const key = { ...params, ...caller, id: params[name] }
    found[name.replace(/Id$/, '')] = orNotFound(await thing.find(db, key), thing.what)
  }
  return { params, things: found }
}

const readBody = async (c: Call, { request, upload, bodyIsOptional }: Declaration) => {
  if (upload) return { file: await readBytes(c, upload) }
  return request && { body: check(request, await (bodyIsOptional ? readOptionalJson(c) : readJson(c))) }
}

type Streamed = { declaration: Declaration; admitted: Admitted }

const streamOf = (
  c: Call,
  dependencies: Dependencies,
  { declaration, admitted }: Streamed,
): { stream?: Stream | null } => {
  const { stream, permission } = declaration
  if (!stream) return {}
  const isWanted = stream === 'only' || c.req.header('accept')?.includes('text/event-stream')
  if (!isWanted) return { stream: null }
  const mayContinue = () => isStillAdmitted(c, dependencies, { ...admitted, permission })
  const requestId = c.get('requestId')
  const errorBody = (error: unknown) =>
    refusalBody(refusalOf(error as Error, { log: dependencies.log, requestId }), requestId)
  return { stream: { lastEventId: c.req.header('last-event-id'), mayContinue, errorBody } }
}
