import type { ChangeWebhookEndpoint } from '@tributary/contract'
import { WEBHOOK_ENDPOINTS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { numberCommitted } from '../../outbox/number-committed.ts'
import { requirePermission } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import type { Audit } from '../../platform/audit.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { findDelivery, retryPending } from '../deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  lockEndpoint,
  rotateSecret,
} from '../endpoints.ts'
import { FAN_OUT } from '../fan-out.ts'
import { sendTest } from '../send-test.ts'
import type { AddressRules } from '../sending/public-addresses.ts'

/** `sealKey` encrypts the signing secrets; `rules` say which addresses may be called. */
type Services = { webhooks: { sealKey: Buffer; rules: AddressRules } }

/** Endpoints that receive a program's events. Managing them gives access to every event, so it needs `key:manage`. */
export const webhookEndpoints = ({ webhooks: { sealKey: key, rules } }: Services) =>
  runs(
    WEBHOOK_ENDPOINTS,
    { endpointId: { what: 'webhook endpoint', find: findEndpoint } },
    {
      create: {
        ownTransactions: async ({ db, program, actor, clock, audit, body }) => {
          refuseAddress(rules, body.url)
          if (body.includeCustomerData) await requireCustomerData(db, { program, actor })
          const programId = program.id
          await fanOutEarlier(db, programId)
          const at = clock()
          return inTransaction(db, async (tx) => {
            const { id, secret } = await createEndpoint(tx, { programId, key, at, ...body })
            const subject = `webhook endpoint ${id}`
            await audit(tx, { action: 'webhook endpoint created', subject, after: masked(body), at })
            return { ...(await found(tx, { programId, id, at })), secret }
          })
        },
      },

      list: ({ db, program, clock }) => listEndpoints(db, { programId: program.id, at: clock() }),

      change: {
        ownTransactions: async ({ db, program, actor, params, clock, audit, body }) => {
          if (body.url !== undefined) refuseAddress(rules, body.url)
          const programId = program.id
          await fanOutEarlier(db, programId)
          const change = { program, actor, id: params.endpointId, clock, audit, body }
          return inTransaction(db, (tx) => changeLocked(tx, change))
        },
      },

      remove: async ({ tx, program: { id: programId }, params, clock, audit }) => {
        const { endpoint, at } = await locked(tx, { programId, id: params.endpointId, clock })
        const { id, url, events } = endpoint
        await deleteEndpoint(tx, { programId, id, at })
        const before = masked({ url, events })
        await audit(tx, { action: 'webhook endpoint deleted', subject: `webhook endpoint ${id}`, before, at })
        return endpoint
      },

      rotate: async ({ tx, program: { id: programId }, params, clock, audit }) => {
        const { endpoint, at } = await locked(tx, { programId, id: params.endpointId, clock })
        const { id } = endpoint
        const secret = await rotateSecret(tx, { programId, endpoint, key, at })
        const rotated = await found(tx, { programId, id, at })
        const after = { previousSecretValidUntil: rotated.previousSecretValidUntil }
        await audit(tx, { action: 'webhook secret rotated', subject: `webhook endpoint ${id}`, after, at })
        return { ...rotated, secret }
      },

      test: {
        ownTransactions: async ({ db, program: { id: programId }, endpoint, clock }) => {
          if (!endpoint.enabled)
            throw new Refusal('conflict', 'This endpoint is disabled. Enable it, then send the test event.')
          const id = await sendTest(db, { programId, endpointId: endpoint.id, at: clock() })
          return orNotFound(await findDelivery(db, { programId, id }), 'delivery')
        },
      },
    },
  )

type Change = { program: Program; actor: Member; id: number; clock: Clock; audit: Audit; body: ChangeWebhookEndpoint }

const changeLocked = async (tx: Tx, { program, actor, id, clock, audit, body }: Change) => {
  const programId = program.id
  const { endpoint, at } = await locked(tx, { programId, id, clock })
  const changes = changedFields(endpoint, body)
  if (!changes) return endpoint
  // Also when customer data was on before: a new address is a new recipient.
  if (body.includeCustomerData ?? endpoint.includeCustomerData) await requireCustomerData(tx, { program, actor })
  await changeEndpoint(tx, { programId, id, at, ...onlyChanged(body, changes.after) })
  if (changes.after.enabled) await retryPending(tx, { programId, endpointId: id, at })
  const change = { before: masked(changes.before), after: masked(changes.after) }
  await audit(tx, { action: actionOf(changes.after), subject: `webhook endpoint ${id}`, ...change, at })
  return found(tx, { programId, id, at })
}

/** 10,000 events. With a longer backlog, new settings also apply to what happened before them. */
const MAX_ROUNDS = 40

/** Settings apply to what happens after them: earlier events get their deliveries first, with the old ones. */
const fanOutEarlier = (db: Database, programId: number) =>
  numberCommitted({ db, programId, fanOut: FAN_OUT, maxRounds: MAX_ROUNDS })

type Key = { programId: number; id: number }

/** As of the lock. */
const locked = async (tx: Tx, { clock, ...key }: Key & { clock: Clock }) => {
  await lockEndpoint(tx, key)
  const at = clock()
  return { endpoint: await found(tx, { ...key, at }), at }
}

const found = async (tx: Tx, key: Key & { at: Date }) => orNotFound(await findEndpoint(tx, key), 'webhook endpoint')

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

const requireCustomerData = (
  db: Database | Tx,
  { program: { workspaceId }, actor }: Pick<Change, 'program' | 'actor'>,
) => requirePermission(db, { user: actor, workspaceId, permission: 'member:manage' })

/** Names are checked when they are called, because their addresses can change. */
const refuseAddress = ({ refuses }: AddressRules, url: string) => {
  if (!refuses(new URL(url))) return
  throw new Refusal(
    'invalid_request',
    '`url` must be a public address on port 80 or 443. An operator of this service can allow others with WEBHOOK_ALLOW_HOSTS.',
    { field: 'url' },
  )
}
