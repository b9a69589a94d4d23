import { programId as programIdSchema } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import type { Source } from '../../processor/apply-event.ts'
import { workspaceOfAccount } from '../../processor/connections/accounts.ts'
import { findInboxProgram, loadInboxProgram } from '../../processor/inbox-programs.ts'
import { receiveEvent } from '../../processor/receive-event.ts'
import {
  confirmOwnEndpoint,
  type Delivery,
  findOwnEndpoint,
  isPlausibleSignature,
  isSignedWith,
  verifyOwnDelivery,
} from '../../processor/stripe/signed-deliveries.ts'
import { readEvent } from '../../processor/stripe/translate.ts'
import type { IncomingEvent } from '../../processor/translation.ts'
import { storeUnassignedEvent } from '../../processor/unassigned-events.ts'
import { connectionLoader, programsOfAccount } from '../../programs/processor-connections.ts'
import { programLoader } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { rawBodies, refuseLongBody } from './read-raw.ts'

const PLATFORM = 'platform'

/** Stripe webhooks. The signature is the only credential, and a 2xx is sent only after the commit. */
export const processorWebhooks = (app: App, dependencies: Dependencies) => {
  const deliveries = readDeliveries(dependencies)
  app.post('/api/v1/processor/webhook', deliveries.admit(receiveForPlatform(dependencies, deliveries)))
  app.post('/api/v1/processor/webhook/:programId', deliveries.admit(receiveForProgram(dependencies, deliveries)))
}

/** Events of accounts connected through the platform, identified by `event.account`. */
const receiveForPlatform = (dependencies: Dependencies, deliveries: Deliveries) => {
  const { batches, limits, processor } = dependencies
  const { db } = processor
  return async (c: Call) => {
    limits.signature.refuse(c.get('clientIp'), PLATFORM)
    const signature = deliveries.signatureOf(c, PLATFORM)
    const secret = processor.stripe.webhookSecret ?? deliveries.refuseSignature(c, PLATFORM)
    return deliveries.read(c, signature, async (delivery) => {
      if (!(await isSignedWith(secret, delivery))) return deliveries.refuseSignature(c, PLATFORM)
      const event = parseEvent(delivery)
      let found = await platformSource(db, event)
      if (!found && (await storeUnconnected(db, event, delivery)))
        return c.json({ success: true, received: true, reason: NOT_CONNECTED })
      // The account was connected in the meantime.
      found ??= await platformSource(db, event)
      if (!found)
        throw new Refusal('unavailable', 'The account is being connected. Resend the event shortly.', {
          reason: 'account_connecting',
          retryAfterSeconds: 1,
        })
      const received = { source: found, event, raw: delivery.raw }
      return answer(c, await receiveEvent({ ...dependencies, db }, received, batches.events))
    })
  }
}

/** Events of a merchant's own account, signed with its endpoint's secret. */
const receiveForProgram = (dependencies: Dependencies, deliveries: Deliveries) => {
  const { batches, clock, limits, processor } = dependencies
  // Concurrent calls share one lookup, because their bodies pile up in memory meanwhile.
  const { db } = processor
  const [programs, connections] = [programLoader(db), connectionLoader(db)]
  return async (c: Call) => {
    const id = programIdSchema.safeParse(c.req.param('programId'))
    const endpoint = id.success ? String(id.data) : ''
    limits.signature.refuse(c.get('clientIp'), endpoint)
    const program = id.success ? await programs.load(id.data) : undefined
    if (!program)
      throw new Refusal('program_not_found', 'No program has this ID. Check the webhook URL in the payment settings.')
    const signature = deliveries.signatureOf(c, endpoint)
    const own = findOwnEndpoint(await connections.load(program.id), { key: processor.sealKey, at: clock() })
    if (!own) return deliveries.refuseSignature(c, endpoint)
    return deliveries.read(c, signature, async (delivery) => {
      const verified = (await verifyOwnDelivery(own, delivery)) ?? deliveries.refuseSignature(c, endpoint)
      const event = parseEvent(delivery)
      const inboxProgram = await loadInboxProgram(db, program)
      const { accountId, chargesEnabled } = verified.connection
      const source = { inboxProgram, programIds: [program.id], accountId, livemode: null, chargesEnabled }
      const confirmEndpoint = confirmOwnEndpoint(verified, { accountId: event.accountId, at: delivery.at })
      return answer(
        c,
        await receiveEvent(
          { ...dependencies, db },
          { source, event, raw: delivery.raw, confirmEndpoint },
          batches.events,
        ),
      )
    })
  }
}

const NOT_CONNECTED = 'account_not_connected'

/** Stores an event of an account that no program is connected to. Returns false if one was connected in the meantime. */
const storeUnconnected = (db: Database, event: IncomingEvent, { at, raw }: Delivery) => {
  const { id: eventId, type, accountId, createdAt } = event
  const envelope = { processor: 'stripe', eventId, type, accountId, createdAt, receivedAt: at }
  return storeUnassignedEvent(db, { ...envelope, payload: raw, reason: NOT_CONNECTED })
}

/** The workspace and programs of a platform event, or null if its account is not connected. */
const platformSource = async (db: Database, { accountId }: IncomingEvent): Promise<Source | null> => {
  const workspaceId = accountId && (await workspaceOfAccount(db, accountId))
  if (!accountId || !workspaceId) return null
  const inboxProgram = await findInboxProgram(db, workspaceId)
  if (!inboxProgram) return null
  const programs = await programsOfAccount(db, accountId)
  const programIds = programs.map(({ programId }) => programId)
  return { inboxProgram, programIds, accountId, livemode: programs[0]?.livemode ?? null }
}

const answer = (c: Call, { duplicate }: { duplicate: boolean }) =>
  c.json({ success: true, received: true, ...(duplicate && { duplicate }) })

const parseEvent = ({ raw, at }: Delivery) => {
  const event = readEvent(raw.toString('utf8'), at)
  if (!event)
    throw new Refusal(
      'invalid_request',
      'The body is not an event: id or type is missing. Send the event as the payment processor created it.',
    )
  return event
}

const HEADER = 'stripe-signature'

type Deliveries = ReturnType<typeof readDeliveries>

/** Reads signed webhook calls. Rejects as much as possible before reading the body. */
const readDeliveries = ({ clock, limits }: Dependencies) => {
  const bodies = rawBodies()
  const refuseSignature = (c: Call, endpoint: string): never => {
    limits.signature.count(c.get('clientIp'), endpoint)
    throw invalidSignature()
  }
  return {
    /** Wraps the whole handler, because the bytes of a call use memory before they are read. */
    admit: (handle: (c: Call) => Promise<Response>) => (c: Call) => {
      refuseLongBody(c.req.raw)
      return bodies.admit(c.req.raw, c.get('clientIp'), () => handle(c))
    },
    signatureOf: (c: Call, endpoint: string) => {
      const signature = c.req.header(HEADER) ?? ''
      return isPlausibleSignature(signature, clock()) ? signature : refuseSignature(c, endpoint)
    },
    refuseSignature,
    read: (c: Call, signature: string, receive: (delivery: Delivery) => Promise<Response>) => {
      // Receiving the body does not count toward the call's time limit.
      c.get('timeLimit')?.pause()
      return bodies.hold(c.req.raw, c.get('clientIp'), (raw) => {
        c.get('timeLimit')?.resume()
        return receive({ raw, signature, at: clock() })
      })
    },
  }
}

const invalidSignature = () =>
  new Refusal(
    'invalid_signature',
    'The signature does not match. Check that the payment settings have the signing secret of this endpoint, and that proxies pass the body on unchanged and within five minutes.',
  )
