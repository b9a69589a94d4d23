import { expect } from 'bun:test'
import Stripe from 'stripe'
import { givenClick, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import type { Answer, TestService } from '../support/service.ts'
import { type Payment, stripePayment, type TestEvent } from './stripe-events.ts'

export const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

type SignatureOptions = { secret: string; at?: Date }

/** Signs as Stripe does: the time and the exact bytes. */
export const signatureOf = (raw: string, { secret, at = new Date() }: SignatureOptions) =>
  Stripe.webhooks.generateTestHeaderStringAsync({
    payload: raw,
    secret,
    timestamp: Math.floor(at.getTime() / 1000),
  } as never)

export const post = async ({ url }: TestService, path: string, raw: string | Uint8Array, signature?: string) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
    body: raw as string,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

/** A program connected with its own endpoint, and functions that read the results of its events. */
export const givenProcessor = async (service: TestService, reward: object = TEN_PERCENT, settings: object = {}) => {
  const program = await givenPayingProgram(service, reward, settings)
  const secret = `whsec_${unique('secret').replaceAll('-', '')}`
  const path = `/api/v1/processor/webhook/${program.id}`
  const put = await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: secret })
  expect(put.status).toBe(200)
  const get = async (of: string) => (await program.owner.call('GET', `${program.api}${of}`)).body

  const deliver = async (event: TestEvent, signing: Partial<SignatureOptions> = {}) => {
    const raw = JSON.stringify(event)
    return post(service, path, raw, await signatureOf(raw, { secret, at: service.clock.now(), ...signing }))
  }
  return {
    ...program,
    secret,
    path,
    deliver,
    /** Delivers until accepted: a processor retries on 503. */
    send: async (...events: TestEvent[]) => {
      for (const event of events) {
        let answer = await deliver(event)
        while (answer.status === 503) answer = await deliver(event)
        expect(answer).toMatchObject({ status: 200, body: { success: true } })
      }
    },
    connection: async () => (await get('/processor')).data,
    status: async () => (await program.owner.call('GET', `/api/tracking/status/${program.id}`)).body.data,
    events: async (query = '') => (await get(`/processor/events${query}`)).data as ListedEvent[],
    event: async (id: string) => (await get(`/processor/events/${id}`)).data as ListedEvent & { raw: unknown },
    sales: () => service.db.selectFrom('sales').selectAll().where('programId', '=', program.id).orderBy('id').execute(),
    inbox: () =>
      service.db.selectFrom('processorEvents').selectAll().where('programId', '=', program.id).orderBy('id').execute(),
    /** A payment of a new visitor of the program's partner, as the merchant's checkout would create it. */
    payment: async (more: Payment = {}) => {
      const clickId = await givenClick(service, program.link)
      const customerKey = unique('customer')
      // Stripe times are whole seconds: the payment must not be older than the click and the reward just created.
      service.clock.advance(1_000)
      const created = Math.floor(service.clock.now().getTime() / 1_000)
      const metadata = { program_id: String(program.id), service_customer_key: customerKey, service_click_id: clickId }
      return { ...stripePayment({ metadata, created, ...more }), clickId, customerKey, metadata }
    },
  }
}
export type ProcessorProgram = Awaited<ReturnType<typeof givenProcessor>>

export type ListedEvent = {
  id: string
  type: string
  fate: string
  reason: string
  sentence: string
  redactedAt: string | null
  references: string[]
  programId: number | null
  saleId: number | null
  test: boolean
}
