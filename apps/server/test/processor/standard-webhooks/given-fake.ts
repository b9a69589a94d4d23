import { expect } from 'bun:test'
import {
  createFakeOf,
  type Delivery,
  type FakeOptions,
  type ProcessorName,
  type Purchase,
} from '@tributary/example-processor/fakes'
import { givenClick, unique } from '../../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../../support/money.ts'
import type { Answer, TestService } from '../../support/service.ts'
import { type ListedEvent, TEN_PERCENT } from '../given-processor.ts'

export type Processed = { processor: ProcessorName; newSecret: () => string }
type Options = { program?: PayingProgram; reward?: object; connect?: object; fake?: Partial<FakeOptions> }
type Sent = Pick<Delivery, 'body' | 'headers'>

/** A program that is connected to a processor, the fake account behind it, and functions that read the results of its events. */
export const givenFake = async (
  service: TestService,
  { processor, newSecret }: Processed,
  { program, reward = TEN_PERCENT, connect: more = {}, fake: options = {} }: Options = {},
) => {
  const paying = program ?? (await givenPayingProgram(service, reward))
  const secret = newSecret()
  const api = `${paying.api}/processors/${processor}`
  const path = `/api/v1/processor/${processor}/webhook/${paying.id}`
  const connect = (body: object) => paying.owner.call('PUT', api, body)
  expect(await connect({ webhookSecret: secret, ...more })).toMatchObject({ status: 200 })
  const fake = createFakeOf(processor, { secret, now: () => service.clock.now().getTime(), ...options })
  const read = async (of: string) => (await paying.owner.call('GET', `${paying.api}${of}`)).body.data

  const deliver = async ({ body, headers }: Sent, to = path) => {
    const response = await fetch(service.url + to, { method: 'POST', headers, body })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
  }
  const visitor = async () => {
    const service_click_id = await givenClick(service, paying.link)
    // The fakes count whole seconds, and a payment must not be older than its click.
    service.clock.advance(2_000)
    return { program_id: String(paying.id), service_customer_key: unique('customer'), service_click_id }
  }
  return {
    ...paying,
    secret,
    path,
    fake,
    connect,
    deliver,
    visitor,
    /** Signed again, because a test may have moved the clock. */
    send: async (...deliveries: Delivery[]) => {
      for (const delivery of deliveries)
        expect(await deliver(fake.sign(delivery))).toMatchObject({ status: 200, body: { success: true } })
    },
    disconnect: () => paying.owner.call('DELETE', api),
    connection: async () =>
      (await read('/processors')).find((row: { processor: string }) => row.processor === processor),
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
    /** What the partner has earned and lost. */
    earned: async (saleId?: number) => {
      const all = (await paying.commissions()) as { saleId: number; amountCents: number; reversedCents: number }[]
      const own = all.filter((commission) => saleId === undefined || commission.saleId === saleId)
      const sum = (field: 'amountCents' | 'reversedCents') => own.reduce((total, each) => total + each[field], 0)
      return { commissions: own.length, cents: sum('amountCents'), reversed: sum('reversedCents') }
    },
    held: async () => (await paying.balance())?.disputedCents ?? 0,
    /** A payment of a new visitor of the program's partner, as the merchant's checkout creates it. */
    checkout: async (purchase: Purchase = {}) => {
      const [name, metadata] = [unique('payment'), await visitor()]
      const deliveries = fake.checkout(name, { metadata, ...purchase })
      return { name, metadata, deliveries, names: fake.namesOf(name) }
    },
  }
}
export type FakeProgram = Awaited<ReturnType<typeof givenFake>>

// biome-ignore lint/suspicious/noExplicitAny: a payload has no type of its own
export const contentOf = ({ body }: Delivery): any => JSON.parse(Buffer.from(body).toString('utf8'))

export const eventOf = (deliveries: Delivery[], type: string) => {
  const found = deliveries.find((delivery) => delivery.type === type)
  if (!found) throw new Error(`no ${type} among ${deliveries.map((delivery) => delivery.type)}`)
  return found
}

/** The same event with other content. */
export const withContent = (delivery: Delivery, change: (content: ReturnType<typeof contentOf>) => void): Delivery => {
  const content = contentOf(delivery)
  change(content)
  return { ...delivery, body: new Uint8Array(Buffer.from(JSON.stringify(content))) }
}
