import type { Clock } from '../../clock.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Audit } from '../../platform/audit.ts'
import {
  type ConnectionKey,
  type ConnectionRow,
  changeConnection,
  createConnection,
  lockConnection,
} from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { openSecret, sealSecret } from '../../sealed-secrets.ts'
import { ensureInboxProgram } from '../inbox-programs.ts'
import type { Processor } from '../port.ts'

type Deps = { key: Buffer; clock: Clock; audit: Audit }
type Secrets = {
  webhookSecret?: string | undefined
  nextWebhookSecret?: string | undefined
  accountId?: string | undefined
  apiKey?: string | undefined
  test?: boolean | undefined
}
type ConnectRequest = Secrets & { processor: Processor; program: Program }

/**
 * Connects a merchant's own account by the signing secret of its webhook endpoint. A new secret or account starts over as `pending`;
 * a next secret is accepted beside the current one.
 */
export const connectWithSecret = async (
  tx: Tx,
  { key, clock, audit }: Deps,
  { processor, program, ...given }: ConnectRequest,
) => {
  const { id: programId, workspaceId } = program
  const connection = { programId, processor: processor.name }
  const before = await lockOwnConnection(tx, connection, given)
  const at = clock()
  const seal = (secret: string) => sealSecret(key, { programId, secret })
  const { webhookSecret, nextWebhookSecret, accountId, apiKey, test } = given
  await ensureInboxProgram(tx, { workspaceId, programId })
  if (isFresh(key, before, given)) {
    if (webhookSecret === undefined) throw missingSecret(before)
    const isSame = before?.secret && !isOtherAccount(before, given) && !isOtherMode(before, given)
    const kept = isSame ? before : NOTHING_KEPT
    const isTest = test ?? kept.livemode === false
    const settings = {
      secret: seal(webhookSecret),
      secretSetAt: at,
      accountId: accountId ?? kept.accountId,
      apiKey: kept.apiKey,
      endpointId: kept.endpointId,
      endpointEvents: kept.endpointEvents,
      livemode: isTest ? false : null,
    }
    await createConnection(tx, connection, { status: 'pending', ...settings }, at)
  } else if (accountId) await changeConnection(tx, connection, { accountId })
  if (nextWebhookSecret) await changeConnection(tx, connection, { nextSecret: seal(nextWebhookSecret) })
  if (apiKey) await changeConnection(tx, connection, { apiKey: seal(apiKey) })
  // Secrets never appear in a log.
  const after = { kind: 'own', processor: processor.name, accountId, test, hasNextSecret: Boolean(nextWebhookSecret) }
  const change = { before: before && { status: before.status }, after }
  await audit(tx, { action: 'processor connected', subject: 'processor', ...change, at })
}

const NOTHING_KEPT = { accountId: null, apiKey: null, endpointId: null, endpointEvents: null, livemode: null }

/** Locks a connection that a merchant may replace with their own. */
export const lockOwnConnection = async (tx: Tx, key: ConnectionKey, given: Pick<Secrets, 'accountId'>) => {
  const before = await lockConnection(tx, key)
  if (before?.kind === 'platform' && before.status !== 'disconnected')
    throw new Refusal('conflict', 'This program is connected through the platform. Disconnect it first.')
  if (before?.endpointId && isOtherAccount(before, given))
    throw new Refusal(
      'conflict',
      'The endpoint of the connected account was created here. Disconnect first to remove it.',
    )
  return before
}

/** Whether there is no connection yet, or this is another secret or account. */
const isFresh = (key: Buffer, before: ConnectionRow | undefined, { webhookSecret, accountId, test }: Secrets) => {
  if (!before?.secret) return true
  if (isOtherAccount(before, { accountId })) return true
  // A secret belongs to one endpoint, and an endpoint to one mode.
  if (isOtherMode(before, { test })) return true
  const { programId, secret: sealed } = before
  return webhookSecret !== undefined && openSecret(key, { programId, sealed }) !== webhookSecret
}

export const isOtherAccount = (before: ConnectionRow, { accountId }: Pick<Secrets, 'accountId'>) =>
  accountId !== undefined && before.accountId !== null && accountId !== before.accountId

/** A sandbox is another account, with keys of its own. */
const isOtherMode = (before: ConnectionRow, { test }: Pick<Secrets, 'test'>) =>
  test !== undefined && test !== (before.livemode === false)

/** Refuses values that cannot be of this processor, before any of them is used. */
export const refuseMalformed = ({ label, setUp }: Processor, given: Secrets) => {
  const { webhookSecret, nextWebhookSecret, accountId, apiKey, test } = given
  if (test && !setUp.hasSandbox)
    throw new Refusal('invalid_request', `${label} marks test events itself. Leave out \`test\`.`, { field: 'test' })
  if (apiKey !== undefined && !setUp.apiKey)
    throw new Refusal('invalid_request', `${label} needs no API key.`, { field: 'apiKey' })
  const fields = [
    ['webhookSecret', webhookSecret, setUp.secret],
    ['nextWebhookSecret', nextWebhookSecret, setUp.secret],
    ['accountId', accountId, setUp.account],
    ['apiKey', apiKey, setUp.apiKey],
  ] as const
  for (const [field, value, shape] of fields)
    if (value !== undefined && shape && !shape.pattern.test(value)) {
      const message = `\`${field}\` must be the ${firstLower(shape.label)} from ${setUp.place}${hintFrom(shape.placeholder)}.`
      throw new Refusal('invalid_request', message, { field })
    }
}

/** Keeps `API` in upper case. */
const firstLower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const hintFrom = (placeholder: string) => {
  if (placeholder.endsWith('…')) return ` (it starts with ${placeholder.slice(0, -1)})`
  // A description, not an example.
  return placeholder.includes(' ') ? ` (${firstLower(placeholder)})` : ''
}

const missingSecret = (before: ConnectionRow | undefined) =>
  new Refusal(
    'invalid_request',
    before?.secret
      ? 'Another account or mode has another secret. Send its `webhookSecret` too.'
      : '`webhookSecret` is missing. Copy it from the webhook endpoint at the payment processor.',
    { field: 'webhookSecret' },
  )
