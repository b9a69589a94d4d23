import { programId as programIdSchema } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import { inOneTurn } from '../../database/in-one-turn.ts'
import { workspaceOfAccount } from '../../processor/accounts.ts'
import type { Source } from '../../processor/apply-event.ts'
import { findHome } from '../../processor/homes.ts'
import { confirmOwnEndpoint, ownEndpointOf, verifyOwnDelivery } from '../../processor/own-endpoint.ts'
import { receiveEvent } from '../../processor/receive-event.ts'
import { keepStray } from '../../processor/strays.ts'
import { readEvent } from '../../processor/stripe/read-event.ts'
import { couldBeSignature, type Delivery, isSignedWith } from '../../processor/stripe/verify-signature.ts'
import type { IncomingEvent } from '../../processor/translation.ts'
import { findConnectionRow, programsOfAccount } from '../../programs/processor-connections.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { rawBodies, refuseLongBody } from './read-raw.ts'

const HEADER = 'stripe-signature'
const PLATFORM = 'platform'

/** What Stripe sends. The signature is the only credential, and 2xx is said after the commit alone. */
export const processorWebhooks = (app: App, dependencies: Dependencies) => {
  const { batches, clock, hashKey, limits, log, processor } = dependencies
  const { db } = processor
  const deps = { db, clock, hashKey, log }
  const bodies = rawBodies()
  // While a program is looked up, bytes arrive: a crowd of calls must not make that longer.
  const programOf = inOneTurn((id: number) => findProgram(db, id))
  const connectionOf = inOneTurn((id: number) => findConnectionRow(db, id))

  /** Everything that can be refused without the body is refused before it is read. */
  const signatureOf = (c: Call, endpoint: string) => {
    const signature = c.req.header(HEADER) ?? ''
    return couldBeSignature(signature, clock()) ? signature : refuseSignature(c, endpoint)
  }

  const refuseSignature = (c: Call, endpoint: string): never => {
    limits.signature.count(c.get('clientIp'), endpoint)
    throw invalidSignature()
  }

  const withDelivery = (c: Call, signature: string, receive: (delivery: Delivery) => Promise<Response>) => {
    // Sending takes the caller's time, not the database's.
    c.get('patience')?.pause()
    return bodies.hold(c.req.raw, c.get('clientIp'), (raw) => {
      c.get('patience')?.resume()
      return receive({ raw, signature, at: clock() })
    })
  }

  const admitted = (work: (c: Call) => Promise<Response>) => (c: Call) => {
    refuseLongBody(c.req.raw)
    return bodies.admit(c.req.raw, c.get('clientIp'), () => work(c))
  }

  // Connected accounts of the platform, told apart by `event.account`.
  const receiveOfPlatform = async (c: Call) => {
    limits.signature.refuse(c.get('clientIp'), PLATFORM)
    const signature = signatureOf(c, PLATFORM)
    const secret = processor.stripe.webhookSecret ?? refuseSignature(c, PLATFORM)
    return withDelivery(c, signature, async (delivery) => {
      if (!(await isSignedWith(secret, delivery))) return refuseSignature(c, PLATFORM)
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
      return answer(c, await receiveEvent(deps, { source, event, raw: delivery.raw }, batches.events))
    })
  }

  // A merchant's own account, with the signing secret of its own endpoint.
  const receiveOfProgram = async (c: Call) => {
    const id = programIdSchema.safeParse(c.req.param('programId'))
    const endpoint = id.success ? String(id.data) : ''
    limits.signature.refuse(c.get('clientIp'), endpoint)
    const program = id.success ? await programOf(id.data) : undefined
    if (!program) throw new Refusal('program_not_found', 'There is no program with this ID.')
    const signature = signatureOf(c, endpoint)
    const own = ownEndpointOf(await connectionOf(program.id), { key: processor.sealKey, at: clock() })
    if (!own) return refuseSignature(c, endpoint)
    return withDelivery(c, signature, async (delivery) => {
      const verified = (await verifyOwnDelivery(own, delivery)) ?? refuseSignature(c, endpoint)
      const event = eventIn(delivery)
      const home = (await findHome(db, program.workspaceId)) ?? program
      const source = { home, programIds: [program.id], accountId: verified.connection.accountId, livemode: null }
      const also = confirmOwnEndpoint(verified, { accountId: event.accountId, at: delivery.at })
      return answer(c, await receiveEvent(deps, { source, event, raw: delivery.raw, also }, batches.events))
    })
  }

  app.post('/api/v1/processor/webhook', admitted(receiveOfPlatform))
  app.post('/api/v1/processor/webhook/:programId', admitted(receiveOfProgram))
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
