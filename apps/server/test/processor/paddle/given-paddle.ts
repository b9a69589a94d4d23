import { expect } from 'bun:test'
import { createPaddle, type Delivery, type Purchase } from '@tributary/example-processor/fakes'
import { givenClick, unique } from '../../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../../support/money.ts'
import type { Answer, TestService } from '../../support/service.ts'
import { type ListedEvent, TEN_PERCENT } from '../given-processor.ts'

export const secretKey = () => `pdl_ntfset_${unique('key').replaceAll('-', '')}`

type Options = { reward?: object; program?: PayingProgram; secret?: string; test?: boolean }

/** A program connected to Paddle, the fake account behind it, and functions that read the results of its events. */
export const givenPaddle = async (
  service: TestService,
  { reward = TEN_PERCENT, program, secret = secretKey(), test }: Options = {},
) => {
  const paying = program ?? (await givenPayingProgram(service, reward))
  const api = `${paying.api}/processors/paddle`
  const path = `/api/v1/processor/paddle/webhook/${paying.id}`
  const connect = (body: object) => paying.owner.call('PUT', api, body)
  expect((await connect({ webhookSecret: secret, ...(test && { test }) })).status).toBe(200)
  const fake = createPaddle({ secret, now: () => service.clock.now().getTime() })

  const deliver = async ({ body, headers }: Pick<Delivery, 'body' | 'headers'>) => {
    const response = await fetch(service.url + path, { method: 'POST', headers, body })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
  }
  const send = async (deliveries: Delivery[]) => {
    // Signed again, because a test may move the clock meanwhile.
    for (const delivery of deliveries)
      expect(await deliver(fake.sign(delivery))).toMatchObject({ status: 200, body: { success: true } })
  }
  const read = async (of: string) => (await paying.owner.call('GET', `${paying.api}${of}`)).body.data
  return {
    ...paying,
    secret,
    liveSecret: secretKey(),
    path,
    fake,
    connect,
    deliver,
    send,
    disconnect: () => paying.owner.call('DELETE', api),
    connection: async () =>
      (await read('/processors')).find(({ processor }: { processor: string }) => processor === 'paddle'),
    events: async (query = ''): Promise<ListedEvent[]> => read(`/processor/events${query}`),
    event: async (id: string | null): Promise<ListedEvent> => read(`/processor/events/${id}`),
    inbox: () =>
      service.db.selectFrom('processorEvents').selectAll().where('programId', '=', paying.id).orderBy('id').execute(),
    sales: () =>
      service.db
        .selectFrom('sales')
        .selectAll()
        .where('programId', '=', paying.id)
        .where('voidedAt', 'is', null)
        .orderBy('id')
        .execute(),
    /** What the partner can be paid, has lost to refunds, and what disputes hold. */
    earned: async (currency = 'USD') => {
      const commissions = (await paying.commissions()) as Record<string, number | string>[]
      const own = commissions.filter((commission) => commission.currency === currency)
      const sum = (field: string) => own.reduce((total, commission) => total + Number(commission[field]), 0)
      return { commissions: own.length, cents: sum('amountCents'), reversed: sum('reversedCents') }
    },
    balance: async () => {
      const { payableCents = 0, disputedCents = 0 } = (await paying.balance()) ?? {}
      return { payableCents, disputedCents }
    },
    /** The metadata of a new visitor of the program's partner. The fake counts whole seconds. */
    visitor: async () => {
      const service_click_id = await givenClick(service, paying.link)
      service.clock.advance(1_000)
      return { program_id: String(paying.id), service_customer_key: unique('customer'), service_click_id }
    },
    /** A payment of a new visitor, as the merchant's checkout would create it. */
    payment: async (purchase: Purchase = {}) => {
      const service_click_id = await givenClick(service, paying.link)
      service.clock.advance(1_000)
      const name = unique('payment')
      const metadata = { program_id: String(paying.id), service_customer_key: unique('customer'), service_click_id }
      return { name, metadata, deliveries: fake.checkout(name, { metadata, ...purchase }) }
    },
  }
}
export type PaddleProgram = Awaited<ReturnType<typeof givenPaddle>>

export const contentOf = ({ body }: Delivery) => JSON.parse(Buffer.from(body).toString('utf8'))

/** The event whose type ends so. */
export const eventIn = (deliveries: Delivery[], type: string) => {
  const found = deliveries.find((delivery) => delivery.type === type)
  if (!found) throw new Error(`no ${type} in ${deliveries.map((delivery) => delivery.type)}`)
  return found
}
