import type { Clock } from '../../clock.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Audit } from '../../platform/audit.ts'
import {
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
  refuseMalformed(processor, given)
  const { id: programId, workspaceId } = program
  const connection = { programId, processor: processor.name }
  const before = await lockConnection(tx, connection)
  if (before?.kind === 'platform' && before.status !== 'disconnected')
    throw new Refusal('conflict', 'This program is connected through the platform. Disconnect it first.')
  const at = clock()
  const seal = (secret: string) => sealSecret(key, { programId, secret })
  const { webhookSecret, nextWebhookSecret, accountId } = given
  await ensureInboxProgram(tx, { workspaceId, programId })
  if (isFresh(key, before, given)) {
    if (webhookSecret === undefined) throw missingSecret(before, accountId)
    const keptAccountId = before?.secret ? before.accountId : null
    const settings = { secret: seal(webhookSecret), secretSetAt: at, accountId: accountId ?? keptAccountId }
    await createConnection(tx, connection, { status: 'pending', ...settings }, at)
  } else if (accountId) await changeConnection(tx, connection, { accountId })
  if (nextWebhookSecret) await changeConnection(tx, connection, { nextSecret: seal(nextWebhookSecret) })
  // Secrets never appear in a log.
  const after = { kind: 'own', processor: processor.name, accountId, hasNextSecret: Boolean(nextWebhookSecret) }
  const change = { before: before && { status: before.status }, after }
  await audit(tx, { action: 'processor connected', subject: 'processor', ...change, at })
}

/** Whether there is no connection yet, or this is another secret or account. */
const isFresh = (key: Buffer, before: ConnectionRow | undefined, { webhookSecret, accountId }: Secrets) => {
  if (!before?.secret) return true
  if (accountId !== undefined && before.accountId !== null && accountId !== before.accountId) return true
  const { programId, secret: sealed } = before
  return webhookSecret !== undefined && openSecret(key, { programId, sealed }) !== webhookSecret
}

const refuseMalformed = ({ setUp }: Processor, { webhookSecret, nextWebhookSecret, accountId }: Secrets) => {
  const fields = [
    ['webhookSecret', webhookSecret, setUp.secret],
    ['nextWebhookSecret', nextWebhookSecret, setUp.secret],
    ['accountId', accountId, setUp.account],
  ] as const
  for (const [field, value, shape] of fields)
    if (value !== undefined && shape && !shape.pattern.test(value)) {
      const [prefix] = shape.placeholder.split('…')
      const start = prefix && prefix !== shape.placeholder ? ` (it starts with ${prefix})` : ''
      const message = `\`${field}\` must be the ${shape.label.toLowerCase()} from ${setUp.place}${start}.`
      throw new Refusal('invalid_request', message, { field })
    }
}

const missingSecret = (before: ConnectionRow | undefined, accountId: string | undefined) =>
  new Refusal(
    'invalid_request',
    before?.secret && accountId
      ? 'Another account has another secret. Send its `webhookSecret` too.'
      : '`webhookSecret` is missing. Copy it from the webhook endpoint at the payment processor.',
    { field: 'webhookSecret' },
  )
