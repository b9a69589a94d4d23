import { programId as programIdSchema } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import { workspaceOfAccount } from '../../processor/accounts.ts'
import type { Source } from '../../processor/apply-event.ts'
import { findHome } from '../../processor/homes.ts'
import { confirmOwnEndpoint, verifyOwnDelivery } from '../../processor/own-endpoint.ts'
import { receiveEvent } from '../../processor/receive-event.ts'
import { keepStray } from '../../processor/strays.ts'
import { readEvent } from '../../processor/stripe/read-event.ts'
import { type Delivery, isSignedWith } from '../../processor/stripe/verify-signature.ts'
import type { IncomingEvent } from '../../processor/translation.ts'
import { programsOfAccount } from '../../programs/processor-connections.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { readRaw } from './read-raw.ts'

const HEADER = 'stripe-signature'

/** What Stripe sends. The signature is the only credential, and 2xx is said after the commit alone. */
export const processorWebhooks = (app: App, dependencies: Dependencies) => {
  const { clock, hashKey, log, processor } = dependencies
  const { db } = processor
  const deps = { db, clock, hashKey, log }

  const deliveryOf = async (c: Call): Promise<Delivery> => {
    const signature = c.req.header(HEADER) ?? null
    // Nobody has to be listened to for eight megabytes who does not even claim to be the processor.
    if (!signature) throw invalidSignature()
    // While they send it is their time, not the database's.
    c.get('patience')?.pause()
    const raw = await readRaw(c.req.raw)
    c.get('patience')?.resume()
    return { raw, signature, at: clock() }
  }

  // Connected accounts of the platform, told apart by `event.account`.
  app.post('/api/v1/processor/webhook', async (c) => {
    const delivery = await deliveryOf(c)
    const secret = processor.stripe.webhookSecret
    if (!secret || !(await isSignedWith(secret, delivery))) throw invalidSignature()
    const event = eventIn(delivery)
    const stray = async () => {
      const { id: eventId, type, accountId, createdAt } = event
      const envelope = { processor: 'stripe', eventId, type, accountId, createdAt, receivedAt: delivery.at }
      return keepStray(db, { ...envelope, payload: delivery.raw, reason: NOT_CONNECTED })
    }
    let source = await platformSource(db, event)
    if (!source && (await stray())) return c.json({ success: true, received: true, reason: NOT_CONNECTED })
    // It was connected in this very moment.
    source ??= await platformSource(db, event)
    if (!source) throw new Refusal('unavailable', 'The account is being connected.', { retryAfterSeconds: 1 })
    return answer(c, await receiveEvent(deps, { source, event, raw: delivery.raw }))
  })

  // A merchant's own account, with the signing secret of its own endpoint.
  app.post('/api/v1/processor/webhook/:programId', async (c) => {
    const id = programIdSchema.safeParse(c.req.param('programId'))
    const program = id.success ? await findProgram(db, id.data) : undefined
    if (!program) throw new Refusal('program_not_found', 'There is no program with this ID.')
    const delivery = await deliveryOf(c)
    const verified = await verifyOwnDelivery(db, { key: processor.sealKey, programId: program.id, delivery })
    if (!verified) throw invalidSignature()
    const event = eventIn(delivery)
    const home = (await findHome(db, program.workspaceId)) ?? program
    const source = { home, programIds: [program.id], accountId: verified.connection.accountId, livemode: null }
    const also = confirmOwnEndpoint(verified, { accountId: event.accountId, at: delivery.at })
    return answer(c, await receiveEvent(deps, { source, event, raw: delivery.raw, also }))
  })
}

const NOT_CONNECTED = 'account_not_connected'

/** Whose an event of the platform is, by its account; null where nobody has connected that. */
const platformSource = async (db: Database, { accountId }: IncomingEvent): Promise<Source | null> => {
  const workspaceId = accountId && (await workspaceOfAccount(db, accountId))
  const home = workspaceId ? await findHome(db, workspaceId) : undefined
  if (!accountId || !home) return null
  const programs = await programsOfAccount(db, accountId)
  const programIds = programs.map(({ programId }) => programId)
  return { home, programIds, accountId, livemode: programs[0]?.livemode ?? null }
}

const answer = (c: Call, { duplicate }: { duplicate: boolean }) =>
  c.json({ success: true, received: true, ...(duplicate && { duplicate }) })

const invalidSignature = () =>
  new Refusal(
    'invalid_signature',
    'The signature does not fit: check that the payment settings have the signing secret of this endpoint, and that the body is passed on unchanged and within five minutes.',
  )

const eventIn = ({ raw, at }: Delivery) => {
  const event = readEvent(raw.toString('utf8'), at)
  if (!event) throw new Refusal('invalid_request', 'The body is no event: it has no id or no type.')
  return event
}
