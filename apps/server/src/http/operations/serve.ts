import { rowIdText } from '@tributary/contract'
import { type Declaration, INTEGER_PARAMETERS } from '@tributary/contract/declarations'
import { inTransaction } from '../../database/transaction.ts'
import type { Actor } from '../../platform/actor.ts'
import { check } from '../../platform/check.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import type { Operations, Stream } from '../../platform/runs.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { refusalBody, refusalOf } from '../errors.ts'
import { readBytes } from '../files/read-bytes.ts'
import { readJson, readOptionalJson } from '../read-json.ts'
import { admit, auditOf, isStillAdmitted } from './access.ts'
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
      const actor = await admit(c, dependencies, declaration)
      const { params, things } = await findThings(c, operation, dependencies.clock())
      const place = { actor, params, ...things, ...placeOf(c, actor) }
      const caller = { ip: c.get('clientIp'), signal: c.req.raw.signal }
      const known = { ...place, ...caller, clock: dependencies.clock, audit: auditOf(c, actor) }
      await operation.allow?.({ ...known, db: c.get('db') })
      const query = declaration.query && check(declaration.query, c.req.query())
      const body = await readBody(c, declaration)
      const result = await run(c, operation, { ...known, query, ...body, ...streamOf(c, dependencies, declaration) })
      return answer(c, { declaration, result, query, isChecked: dependencies.checkAnswers })
    })
  }
}

/** `links/ids` before `links/{linkId}`, which it matches too. */
const byPath = ({ declaration: { path: one } }: Operation, { declaration: { path: other } }: Operation) => {
  const [first, second] = [one.replaceAll('{', '~'), other.replaceAll('{', '~')]
  return first === second ? 0 : first < second ? -1 : 1
}

const run = (c: Call, operation: Operation, input: Record<string, unknown>) => {
  const db = c.get('db')
  if (!operation.hasTransaction) return operation.run({ ...input, db })
  return inTransaction(db, async (tx) => operation.run({ ...input, tx }))
}

const INTEGERS = new Set<string>(INTEGER_PARAMETERS)

/** The parameters of the path, and what they name. A parameter without a thing, such as a token, is left to the run. */
const findThings = async (c: Call, { declaration, things }: Operation, at: Date) => {
  const params: Record<string, number | string> = {}
  const own = c.get('partner')
  const found: Record<string, unknown> = {}
  for (const [, name = ''] of declaration.path.matchAll(/\{(\w+)\}/g)) {
    const text = c.req.param(name) ?? ''
    const thing = things[name]
    const value = INTEGERS.has(name) ? rowIdText.safeParse(text).data : text
    params[name] = orNotFound(value, thing?.what ?? name)
    if (!thing) continue
    const caller = { userId: c.get('user')?.id, ...(own && { partnerId: own.partnerId }) }
    const key = { ...params, ...caller, id: params[name], at }
    found[name.replace(/Id$/, '')] = orNotFound(await thing.find(c.get('db'), key), thing.what)
  }
  return { params, things: found }
}

const readBody = async (c: Call, { request, upload, bodyIsOptional }: Declaration) => {
  if (upload) return { file: await readBytes(c, upload) }
  return request && { body: check(request, await (bodyIsOptional ? readOptionalJson(c) : readJson(c))) }
}

const placeOf = (c: Call, actor: Actor) => ({
  program: c.get('program'),
  ...(actor.kind === 'partner' && { partner: c.get('partner') }),
})

const streamOf = (c: Call, dependencies: Dependencies, declaration: Declaration): { stream?: Stream | null } => {
  if (!declaration.stream) return {}
  const isWanted = declaration.stream === 'only' || c.req.header('accept')?.includes('text/event-stream')
  if (!isWanted) return { stream: null }
  const mayContinue = () => isStillAdmitted(c, dependencies, declaration)
  const requestId = c.get('requestId')
  const errorBody = (error: unknown) =>
    refusalBody(refusalOf(error as Error, { log: dependencies.log, requestId }), requestId)
  return { stream: { lastEventId: c.req.header('last-event-id'), mayContinue, errorBody } }
}
