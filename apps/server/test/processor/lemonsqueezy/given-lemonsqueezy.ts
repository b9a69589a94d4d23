import { expect } from 'bun:test'
import { createLemonSqueezy, type Delivery, type FakeOptions, type Purchase } from '@tributary/example-processor/fakes'
import { givenClick, unique } from '../../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../../support/money.ts'
import type { Answer, TestService } from '../../support/service.ts'
import { type ListedEvent, TEN_PERCENT } from '../given-processor.ts'

/** Merchants choose it: 6 to 40 characters. */
export const newSecret = () => unique('secret').replaceAll('-', '').slice(0, 40)

type Options = { program?: PayingProgram; connect?: object; fake?: Partial<FakeOptions> }

/** A program connected to Lemon Squeezy, the fake store behind it, and functions that read the results of its events. */
export const givenLemonSqueezy = async (
  service: TestService,
  { program, connect: more = {}, fake: options = {} }: Options = {},
) => {
  const paying = program ?? (await givenPayingProgram(service, TEN_PERCENT))
  const secret = options.secret ?? newSecret()
  const api = `${paying.api}/processors/lemonsqueezy`
  const path = `/api/v1/processor/lemonsqueezy/webhook/${paying.id}`
  const connect = (body: object) => paying.owner.call('PUT', api, body)
  expect(await connect({ webhookSecret: secret, ...more })).toMatchObject({ status: 200 })
  const fake = createLemonSqueezy({ secret, now: () => service.clock.now().getTime(), ...options })
  const read = async (of: string) => (await paying.owner.call('GET', `${paying.api}${of}`)).body.data

  const deliver = async ({ body, headers }: Pick<Delivery, 'body' | 'headers'>, to = path) => {
    const response = await fetch(service.url + to, { method: 'POST', headers, body })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
  }
  const visitor = async () => {
    const service_click_id = await givenClick(service, paying.link)
    // The fake counts whole seconds, and a payment must not be older than its click.
    service.clock.advance(1_000)
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
    send: async (...deliveries: Delivery[]) => {
      for (const delivery of deliveries)
        expect(await deliver(fake.sign(delivery))).toMatchObject({ status: 200, body: { success: true } })
    },
    disconnect: () => paying.owner.call('DELETE', api),
    connection: async () =>
      (await read('/processors')).find(({ processor }: { processor: string }) => processor === 'lemonsqueezy'),
    events: async (query = ''): Promise<ListedEvent[]> => read(`/processor/events${query}`),
    event: async (id: string): Promise<ListedEvent> => read(`/processor/events/${id}`),
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
    /** What the partner has earned and lost, with all sales or with one. */
    earned: async (saleId?: number) => {
      const all = (await paying.commissions()) as { saleId: number; amountCents: number; reversedCents: number }[]
      const own = all.filter((commission) => saleId === undefined || commission.saleId === saleId)
      const sum = (field: 'amountCents' | 'reversedCents') => own.reduce((total, each) => total + each[field], 0)
      return { commissions: own.length, cents: sum('amountCents'), reversed: sum('reversedCents') }
    },
    /** A purchase by a new visitor of the program's partner, as the merchant's checkout creates it. */
    checkout: async (purchase: Purchase = {}) => {
      const [name, metadata] = [unique('payment'), await visitor()]
      const deliveries = fake.checkout(name, { metadata, ...purchase })
      return { name, metadata, deliveries, names: fake.namesOf(name) }
    },
  }
}
export type Store = Awaited<ReturnType<typeof givenLemonSqueezy>>

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
