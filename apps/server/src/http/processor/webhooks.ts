import { programId as programIdSchema } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import type { Source } from '../../processor/apply-event.ts'
import { workspaceOfAccount } from '../../processor/connections/accounts.ts'
import { confirmOwnEndpoint, findOwnEndpoint, verifyOwnDelivery } from '../../processor/connections/own-endpoint.ts'
import { findInboxProgram, inboxProgramLoader } from '../../processor/inbox-programs.ts'
import type { Delivery, Processor } from '../../processor/port.ts'
import { findProcessor, unnamedProcessor } from '../../processor/processors.ts'
import { receiveEvent } from '../../processor/receive-event.ts'
import { isUnreadable, readEvent } from '../../processor/translate-event.ts'
import type { IncomingEvent } from '../../processor/translation.ts'
import { storeUnassignedEvent } from '../../processor/unassigned-events.ts'
import { type ConnectionRow, connectionLoader, programsOfAccount } from '../../programs/processor-connections.ts'
import { type Program, programLoader } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { rawBodies, refuseLongBody } from './read-raw.ts'

const PLATFORM = 'platform'

/** Webhooks of payment processors. The signature is the only credential, and a 2xx is sent only after the commit. */
export const processorWebhooks = (app: App, dependencies: Dependencies) => {
  const deliveries = readDeliveries(dependencies)
  const forProgram = receiveForProgram(dependencies, deliveries)
  app.post('/api/v1/processor/webhook', deliveries.admit(receiveForPlatform(dependencies, deliveries)))
  // Older than the second processor: these addresses keep the refusals they always had.
  app.post('/api/v1/processor/webhook/:programId', deliveries.admit(forProgram(() => unnamedProcessor, UNNAMED)))
  app.post('/api/v1/processor/:processor/webhook/:programId', deliveries.admit(forProgram(processorIn, NAMED)))
}

/** What an address answers where there is nothing to record. */
type Answers = { unconnected: () => Refusal | null; unreadable: () => Refusal | null; notJson: () => Refusal }

const UNNAMED: Answers = { unconnected: () => null, unreadable: () => notAnEvent(), notJson: () => notAnEvent() }
const NAMED: Answers = { unconnected: () => notConnected(), unreadable: () => null, notJson: () => notJson() }

const processorIn = (c: Call): Processor => {
  const processor = findProcessor(c.req.param('processor') ?? '')
  if (processor) return processor
  throw new Refusal('not_found', 'No payment processor has this name. Check the webhook URL in the payment settings.')
}

/** Events of accounts connected through the platform, identified by the account that each event names. */
const receiveForPlatform = (dependencies: Dependencies, deliveries: Deliveries) => {
  const { batches, limits, processor } = dependencies
  const { db } = processor
  const platformSecret = unnamedProcessor.platform?.(processor.settings).webhookSecret
  return async (c: Call) => {
    limits.signature.refuse(c.get('clientIp'), PLATFORM)
    deliveries.refuseImplausible(c, unnamedProcessor, PLATFORM)
    const secret = platformSecret ?? deliveries.refuseSignature(c, PLATFORM)
    return deliveries.read(c, async (delivery) => {
      if (!(await unnamedProcessor.isSignedWith(secret, delivery))) return deliveries.refuseSignature(c, PLATFORM)
      const event = parseEvent(unnamedProcessor, delivery, UNNAMED)
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
  const { batches, clock, limits } = dependencies
  const { db, sealKey } = dependencies.processor
  // Concurrent calls share one lookup, because their bodies pile up in memory meanwhile.
  const [programs, connections, inboxPrograms] = [programLoader(db), connectionLoader(db), inboxProgramLoader(db)]
  return (processorOf: (c: Call) => Processor, answers: Answers) => async (c: Call) => {
    const processor = processorOf(c)
    const id = programIdSchema.safeParse(c.req.param('programId'))
    const endpoint = id.success ? `${processor.name} ${id.data}` : ''
    limits.signature.refuse(c.get('clientIp'), endpoint)
    const program = id.success ? await programs.load(id.data) : undefined
    if (!program)
      throw new Refusal('program_not_found', 'No program has this ID. Check the webhook URL in the payment settings.')
    const connection = await connections.load({ programId: program.id, processor: processor.name })
    const own = findOwnEndpoint(connection, { key: sealKey, at: clock() })
    const refusal = own ? null : answers.unconnected()
    if (refusal) throw refusal
    deliveries.refuseImplausible(c, processor, endpoint)
    if (!own) return deliveries.refuseSignature(c, endpoint)
    return deliveries.read(c, async (delivery) => {
      const verified = (await verifyOwnDelivery(processor, own, delivery)) ?? deliveries.refuseSignature(c, endpoint)
      const sent = parseEvent(processor, delivery, answers)
      const event = { ...sent, livemode: sent.livemode && verified.connection.livemode !== false }
      const source = endpointSource(program, { ...verified, inboxProgram: await inboxPrograms.load(program) })
      const confirmEndpoint = confirmOwnEndpoint(verified, { accountId: event.accountId, at: delivery.at })
      const received = { source, event, raw: delivery.raw, confirmEndpoint }
      return answer(c, await receiveEvent({ ...dependencies, db }, received, batches.events))
    })
  }
}

type Endpoint = { inboxProgram: Program; connection: ConnectionRow }

const endpointSource = (program: Program, { inboxProgram, connection }: Endpoint): Source => ({
  inboxProgram,
  endpointProgramId: program.id,
  programIds: [program.id],
  accountId: connection.accountId,
  livemode: null,
  chargesEnabled: connection.chargesEnabled,
})

const NOT_CONNECTED = 'account_not_connected'

/** Stores an event of an account that no program is connected to. Returns false if one was connected in the meantime. */
const storeUnconnected = (db: Database, event: IncomingEvent, { at, raw }: Delivery) => {
  const { id: eventId, processor, type, accountId, createdAt } = event
  const envelope = { processor, eventId, type, accountId, createdAt, receivedAt: at }
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
  return { inboxProgram, endpointProgramId: null, programIds, accountId, livemode: programs[0]?.livemode ?? null }
}

const answer = (c: Call, { duplicate }: { duplicate: boolean }) =>
  c.json({ success: true, received: true, ...(duplicate && { duplicate }) })

const parseEvent = (processor: Processor, { raw, headers, at }: Delivery, answers: Answers) => {
  const eventId = processor.eventIdIn?.(headers) ?? null
  const event = readEvent(processor, { text: raw.toString('utf8'), receivedAt: at, eventId })
  const refusal = event ? isUnreadable(event) && answers.unreadable() : answers.notJson()
  if (!event || refusal) throw refusal
  return event
}

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
    refuseImplausible: (c: Call, processor: Processor, endpoint: string) => {
      if (!processor.isPlausible(c.req.raw.headers, clock())) refuseSignature(c, endpoint)
    },
    refuseSignature,
    read: (c: Call, receive: (delivery: Delivery) => Promise<Response>) => {
      // Receiving the body does not count toward the call's time limit.
      c.get('timeLimit')?.pause()
      return bodies.hold(c.req.raw, c.get('clientIp'), (raw) => {
        c.get('timeLimit')?.resume()
        return receive({ raw, headers: c.req.raw.headers, at: clock() })
      })
    },
  }
}

const invalidSignature = () =>
  new Refusal(
    'invalid_signature',
    'The signature does not match. Check that the payment settings have the signing secret of this endpoint, and that proxies pass the body on unchanged and within five minutes.',
  )

const notConnected = () =>
  new Refusal(
    'not_found',
    'This program is not connected to this payment processor. Save the signing secret in the payment settings, or remove the endpoint at the processor.',
  )

const notAnEvent = () =>
  new Refusal(
    'invalid_request',
    'The body is not an event: id or type is missing. Send the event as the payment processor created it.',
  )

const notJson = () =>
  new Refusal('invalid_json', 'The body is not a JSON object. Send the event as the payment processor created it.')
