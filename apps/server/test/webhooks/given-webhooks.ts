import { expect } from 'bun:test'
import { exampleEvent, type PublishedEventType } from '@tributary/contract'
import { Webhook } from 'standardwebhooks'
import { inTransaction } from '../../src/database/transaction.ts'
import { type NewEvent, publish } from '../../src/outbox/events.ts'
import { assignSequences } from '../../src/outbox/sequence.ts'
import { DELIVERIES_DUE } from '../../src/webhooks/announce-due.ts'
import { FAN_OUT } from '../../src/webhooks/fan-out.ts'
import { givenUser, givenWorkspace, type User } from '../support/given.ts'
import type { TestService } from '../support/service.ts'

/** Allows the receivers of these tests. */
export const LOCAL = { webhookAllowHosts: ['127.0.0.0/8'] }

export type Received = { headers: Record<string, string>; text: string; path: string }
type Answer = { status?: number; headers?: Record<string, string>; body?: string; after?: Promise<unknown> }

/** A merchant's server. `answer` decides the response to each request. */
export const givenReceiver = (answer: (received: Received, number: number) => Answer = () => ({})) => {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const one = { headers: Object.fromEntries(request.headers), text: await request.text(), path: pathname }
      received.push(one)
      const { status = 200, headers, body = 'ok', after } = answer(one, received.length)
      await after
      return new Response(body, { status, headers })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/hooks`,
    received,
    ids: () => received.map(({ headers }) => headers['webhook-id'] ?? ''),
    sequences: () => received.map(({ text }) => JSON.parse(text).sequence as number),
    stop: () => server.stop(true),
    /** Resolves when the receiver has got this many requests. */
    got: (count: number) => until(() => received.length >= count),
  }
}

export const until = async (isDone: () => boolean | Promise<boolean>) => {
  while (!(await isDone())) await Bun.sleep(20)
}

export const givenOwner = async (service: TestService) => {
  const owner = await givenUser(service)
  const workspaceId = await givenWorkspace(owner)
  const { body } = await owner.call('POST', '/api/programs', { workspaceId, name: 'Acme' })
  const id: number = body.data.id
  return { owner, id, workspaceId, api: `/api/programs/${id}` }
}
export type OwnedProgram = Awaited<ReturnType<typeof givenOwner>>

export const givenEndpoint = async ({ owner, api }: { owner: User; api: string }, settings: object) => {
  const { status, body } = await owner.call('POST', `${api}/webhook-endpoints`, { events: ['*'], ...settings })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.data as { id: number; secret: string; url: string }
}

/** Commits events; the sequencer has not seen them yet. */
export const givenUnnumbered = ({ db, clock }: TestService, programId: number, types: PublishedEventType[]) => {
  const events = types.map((type) => ({ programId, type, at: clock.now(), data: exampleEvent(type).data }) as NewEvent)
  return inTransaction(db, (tx) => publish(tx, events))
}

/** Publishes events, and gives them their sequences and deliveries. */
export const givenEvents = async (
  service: TestService,
  programId: number,
  types: PublishedEventType[] = ['sale.created'],
) => {
  const { db } = service
  await givenUnnumbered(service, programId, types)
  while (!(await assignSequences(db, programId, FAN_OUT)));
}

export const deliveriesOf = async ({ owner, api }: { owner: User; api: string }, query = '') =>
  (await owner.call('GET', `${api}/webhook-deliveries?sort=createdAt&pageSize=200${query}`)).body.data

export const endpointOf = async ({ owner, api }: { owner: User; api: string }, id: number) =>
  (await owner.call('GET', `${api}/webhook-endpoints`)).body.data.find((each: { id: number }) => each.id === id)

/** The event, if the library of Standard Webhooks gives one of the request's signatures. Its own check of the time is left out. */
export const verified = ({ headers, text }: Received, secret: string) => {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
  const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', sentAt, text)
  expect(headers['webhook-signature']?.split(' ')).toContain(signature)
  return JSON.parse(text) as Record<string, unknown>
}

/** Waits until nothing is due or being sent, then moves the clock past the pauses and wakes the worker. Returns false if there is none. */
export const passPause = async ({ pool, clock }: TestService, programId: number) => {
  let next: Date | null = null
  await until(async () => {
    const { rows } = await pool.query(
      `SELECT count(*) FILTER (WHERE lease IS NOT NULL OR next_attempt_at <= $2)::integer AS busy, max(next_attempt_at) AS next
       FROM webhook_deliveries WHERE program_id = $1 AND state = 'pending'`,
      [programId, clock.now()],
    )
    next = rows[0].next
    return rows[0].busy === 0
  })
  if (next) clock.advance((next as Date).getTime() - clock.now().getTime() + 1)
  await pool.query(`SELECT pg_notify('${DELIVERIES_DUE}', '')`)
  return next !== null
}
