import { changeWebhookEndpointRequest, createWebhookEndpointRequest, type WebhookEndpoint } from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { numberCommitted } from '../../../outbox/number-committed.ts'
import { Refusal } from '../../../refusal.ts'
import { findDelivery, retryPending } from '../../../webhooks/deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  lockEndpoint,
  rotateSecret,
} from '../../../webhooks/endpoints.ts'
import { FAN_OUT } from '../../../webhooks/fan-out.ts'
import { sendTest } from '../../../webhooks/send-test.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { answerWhole, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requirePermission, requireProgram } from '../require-session.ts'

const PATH = '/api/programs/:programId/webhook-endpoints'

/** Endpoints that receive a program's events. Managing them gives access to every event, so it needs `key:manage`. */
export const webhookEndpoints = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const { sealKey: key, rules } = dependencies.webhooks
  const mayManage = requireProgram(dependencies, 'key:manage')

  app.post(PATH, mayManage, async (c) => {
    const request = check(createWebhookEndpointRequest, await readJson(c))
    refuseAddress(rules.refuses, request.url)
    if (request.includeCustomerData) await requireCustomerData(c, dependencies)
    const programId = c.get('program').id
    await fanOutEarlier(c)
    const at = clock()
    const created = await inTransaction(c.get('db'), async (tx) => {
      const { id, secret } = await createEndpoint(tx, { programId, key, at, ...request })
      const after = masked(request)
      await recordAudit(tx, { ...entryOf(c, id), action: 'webhook endpoint created', after, at })
      return { ...(await found(tx, { programId, id, at })), secret }
    })
    return c.json({ data: created }, 201)
  })

  app.get(PATH, mayManage, async (c) =>
    answerWhole(c, await listEndpoints(c.get('db'), { programId: c.get('program').id, at: clock() })),
  )

  app.patch(`${PATH}/:endpointId`, mayManage, async (c) => {
    const request = check(changeWebhookEndpointRequest, await readJson(c))
    if (request.url !== undefined) refuseAddress(rules.refuses, request.url)
    const programId = c.get('program').id
    await fanOutEarlier(c)
    const data = await changing(c, dependencies, async (tx, endpoint, at) => {
      const { id } = endpoint
      const changes = changedFields(endpoint, request)
      if (!changes) return endpoint
      // Also when customer data was on before: a new address is a new recipient.
      if (request.includeCustomerData ?? endpoint.includeCustomerData) await requireCustomerData(c, dependencies)
      await changeEndpoint(tx, { programId, id, at, ...onlyChanged(request, changes.after) })
      if (changes.after.enabled) await retryPending(tx, { programId, endpointId: id, at })
      const action = actionOf(changes.after)
      await recordAudit(tx, {
        ...entryOf(c, id),
        action,
        before: masked(changes.before),
        after: masked(changes.after),
        at,
      })
      return found(tx, { programId, id, at })
    })
    return c.json({ data })
  })

  app.delete(`${PATH}/:endpointId`, mayManage, async (c) => {
    const programId = c.get('program').id
    const data = await changing(c, dependencies, async (tx, endpoint, at) => {
      const { id, url, events } = endpoint
      await deleteEndpoint(tx, { programId, id, at })
      await recordAudit(tx, {
        ...entryOf(c, id),
        action: 'webhook endpoint deleted',
        before: masked({ url, events }),
        at,
      })
      return endpoint
    })
    return c.json({ data })
  })
}

/** Rotates the signing secret of an endpoint, and sends it a test event. */
export const webhookEndpointActions = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const { sealKey: key } = dependencies.webhooks
  const mayManage = requireProgram(dependencies, 'key:manage')

  app.post(`${PATH}/:endpointId/rotate`, mayManage, async (c) => {
    const programId = c.get('program').id
    const data = await changing(c, dependencies, async (tx, endpoint, at) => {
      const { id } = endpoint
      const secret = await rotateSecret(tx, { programId, endpoint, key, at })
      const rotated = await found(tx, { programId, id, at })
      const after = { previousSecretValidUntil: rotated.previousSecretValidUntil }
      await recordAudit(tx, { ...entryOf(c, id), action: 'webhook secret rotated', after, at })
      return { ...rotated, secret }
    })
    return c.json({ data })
  })

  app.post(`${PATH}/:endpointId/test`, mayManage, async (c) => {
    const db = c.get('db')
    const program = c.get('program')
    const key = { programId: program.id, id: pathId(c, 'endpointId') ?? 0, at: clock() }
    const endpoint = orNotFound(await findEndpoint(db, key), 'webhook endpoint')
    if (!endpoint.enabled)
      throw new Refusal('conflict', 'This endpoint is disabled. Enable it, then send the test event.')
    const id = await sendTest(db, { programId: program.id, endpointId: endpoint.id, at: clock() })
    return c.json({ data: orNotFound(await findDelivery(db, { programId: program.id, id }), 'delivery') }, 201)
  })
}

/** 10,000 events. With a longer backlog, new settings also apply to what happened before them. */
const MAX_ROUNDS = 40

/** Settings apply to what happens after them: earlier events get their deliveries first, with the old ones. */
const fanOutEarlier = (c: Call) =>
  numberCommitted({ db: c.get('db'), programId: c.get('program').id, fanOut: FAN_OUT, maxRounds: MAX_ROUNDS })

/** Runs a change under the endpoint's lock. */
const changing = <T>(
  c: Call,
  { clock }: Dependencies,
  change: (tx: Tx, endpoint: WebhookEndpoint, at: Date) => Promise<T>,
) => {
  const at = clock()
  const key = { programId: c.get('program').id, id: pathId(c, 'endpointId') ?? 0, at }
  return inTransaction(c.get('db'), async (tx) =>
    change(tx, orNotFound(await lockEndpoint(tx, key), 'webhook endpoint'), at),
  )
}

const found = async (tx: Tx, key: { programId: number; id: number; at: Date }) =>
  orNotFound(await findEndpoint(tx, key), 'webhook endpoint')

const entryOf = (c: Call, id: number) => ({
  programId: c.get('program').id,
  userId: c.get('user').id,
  subject: `webhook endpoint ${id}`,
})

const actionOf = ({ enabled }: Record<string, unknown>) => {
  if (enabled === undefined) return 'webhook endpoint changed'
  return enabled ? 'webhook endpoint enabled' : 'webhook endpoint disabled'
}

const onlyChanged = <Request extends object>(request: Request, changed: object) =>
  Object.fromEntries(Object.entries(request).filter(([name]) => name in changed)) as Partial<Request>

/** For the audit log: the path and query of an address often contain a token. */
const masked = <Fields extends { url?: unknown }>(fields: Fields) => {
  const url = typeof fields.url === 'string' ? new URL(fields.url) : null
  return url ? { ...fields, url: url.pathname + url.search === '/' ? url.origin : `${url.origin}/…` } : fields
}

const requireCustomerData = (c: Call, { db }: Dependencies) =>
  requirePermission(
    { db },
    { user: c.get('user'), workspaceId: c.get('program').workspaceId, permission: 'member:manage' },
  )

/** Names are checked when they are called, because their addresses can change. */
const refuseAddress = (refuses: (url: URL) => boolean, url: string) => {
  if (!refuses(new URL(url))) return
  throw new Refusal(
    'invalid_request',
    '`url` must be a public address on port 80 or 443. An operator of this service can allow others with WEBHOOK_ALLOW_HOSTS.',
    { field: 'url' },
  )
}
