import { afterAll, expect } from 'bun:test'
import { createHmac, randomUUID } from 'node:crypto'
import type { Processor } from '../../src/processor/port.ts'
import { processors } from '../../src/processor/processors.ts'
import {
  isPlausibleStandardWebhook,
  isStandardWebhookSignedWith,
  standardWebhookId,
} from '../../src/processor/signatures/standard-webhooks.ts'
import { amountOf } from '../../src/processor/translating/amounts.ts'
import { attributionIn, invoiceIdIn } from '../../src/processor/translating/attribution.ts'
import { idOf, parseFields, read } from '../../src/processor/translating/fields.ts'
import { paidReport, report } from '../../src/processor/translating/reports.ts'
import type { Translation } from '../../src/processor/translation.ts'
import { givenClick, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import type { Answer, TestService } from '../support/service.ts'
import { TEN_PERCENT } from './given-processor.ts'

/** A processor that exists only here, with everything that makes one difficult: numeric IDs per store, and IDs in headers. */
const tillNamed = (name: string): Processor => ({
  name,
  label: name === 'till' ? 'Till' : 'Booth',
  eventTypes: ['paid', 'refunded', 'fraudulent'],
  setUp: {
    place: 'your Till settings',
    steps: ['Add a webhook.'],
    metadata: 'Add the metadata to the order.',
    hasSandbox: true,
    example: (programId) => `{ program_id: ${programId} }`,
    secret: { label: 'Signing secret', placeholder: 'till_…', pattern: /^till_\w+$/ },
    account: { label: 'Store ID', placeholder: '12345', pattern: /^\d+$/ },
  },
  isPlausible: isPlausibleStandardWebhook,
  isSignedWith: (secret, delivery) => isStandardWebhookSignedWith(Buffer.from(secret), delivery),
  eventIdIn: standardWebhookId,
  read: (text, receivedAt, eventId) => {
    const body = parseFields(text)
    const [type, store] = [idOf(body.type), idOf(body.store)]
    if (!type || !store || !eventId) return null
    const envelope = { processor: name, id: eventId, scope: store, type, accountId: store, apiVersion: null }
    return { ...envelope, createdAt: receivedAt, receivedAt, livemode: body.test !== true, object: body }
  },
  translate: ({ type, object, createdAt: at }): Translation => {
    const amount = amountOf(object.amount, object.currency)
    const parts = { references: [idOf(object.order), idOf(object.checkout)], at }
    const named = { attribution: attributionIn(object.metadata), ...invoiceIdIn(object.metadata) }
    const paid = paidReport({ ...parts, ...named, gross: amount, netCents: amount?.cents ?? null, source: 'payment' })
    if (type === 'paid') return paid
    if (!amount) return { ignored: 'amount_missing' }
    const refunded = { kind: 'refunded_in_all', grossCents: amount.cents, currency: amount.currency } as const
    const refund = report({ ...parts, says: refunded })
    if (type === 'refunded') return refund
    if (type !== 'fraudulent' || !('report' in paid) || !('report' in refund)) return { ignored: 'other_event' }
    return { report: paid.report, further: [refund.report] }
  },
  ownIds: /^(order|checkout)_\w+$/,
  personalData: { fields: [], identifying: ['order'], relatedIds: (body) => [idOf(read(body, 'order')) ?? []].flat() },
})

export const till = tillNamed('till')
export const booth = tillNamed('booth')

/** Adds both to the list for this file. */
export const addTestProcessors = () => {
  processors.push(till, booth)
  afterAll(() => {
    processors.splice(processors.indexOf(till), 2)
  })
}

type Headers = Record<string, string>

/** Signs as the specification says, with its own code. */
export const signed = (raw: string, { secret, at, id }: { secret: string; at: Date; id: string }): Headers => {
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${raw}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

export const postRaw = async ({ url }: TestService, path: string, raw: string, headers: Headers) => {
  const response = await fetch(url + path, { method: 'POST', headers, body: raw })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

type Options = { processor?: Processor; program?: PayingProgram }

/** A program connected to one of the two. */
export const givenTill = async (service: TestService, { processor = till, program }: Options = {}) => {
  const paying = program ?? (await givenPayingProgram(service, TEN_PERCENT))
  const path = `/api/v1/processor/${processor.name}/webhook/${paying.id}`
  const api = `${paying.api}/processors/${processor.name}`
  const secret = `till_${unique('secret').replaceAll('-', '')}`
  const put = (body: object) => paying.owner.call('PUT', api, body)
  expect((await put({ webhookSecret: secret })).status).toBe(200)

  const deliver = async (event: object | string, { by = secret, id = `msg_${randomUUID()}` } = {}) => {
    const raw = typeof event === 'string' ? event : JSON.stringify(event)
    return postRaw(service, path, raw, signed(raw, { secret: by, at: service.clock.now(), id }))
  }
  const metadata = async () => {
    const clickId = await givenClick(service, paying.link)
    service.clock.advance(1_000)
    return { service_customer_key: unique('customer'), service_click_id: clickId }
  }
  return {
    ...paying,
    path,
    secret,
    put,
    deliver,
    metadata,
    remove: () => paying.owner.call('DELETE', api),
    connection: async () => {
      const { data } = (await paying.owner.call('GET', `${paying.api}/processors`)).body
      return data.find((row: { processor: string }) => row.processor === processor.name)
    },
    send: async (...events: object[]) => {
      for (const event of events) expect(await deliver(event)).toMatchObject({ status: 200 })
    },
    paid: async (fields: object = {}) => ({
      type: 'paid',
      store: '1',
      order: '1001',
      amount: 1_000,
      currency: 'USD',
      metadata: await metadata(),
      ...fields,
    }),
    sales: () =>
      service.db
        .selectFrom('sales')
        .selectAll()
        .where('programId', '=', paying.id)
        .where('voidedAt', 'is', null)
        .orderBy('id')
        .execute(),
    inbox: () =>
      service.db.selectFrom('processorEvents').selectAll().where('programId', '=', paying.id).orderBy('id').execute(),
    events: async () => (await paying.owner.call('GET', `${paying.api}/processor/events`)).body.data,
  }
}
