import { expect, test } from 'bun:test'
import type { Delivery } from '@tributary/example-processor/fakes'
import { unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { isLongRun } from '../../support/size.ts'
import { givenPaddle } from './given-paddle.ts'

const service = await givenService()
const LIFE = 12

/** Everything that happens to one subscription's first payment and its renewal. */
const givenLife = async () => {
  const program = await givenPaddle(service)
  const { fake } = program
  const metadata = await program.visitor()
  const [first, second] = [unique('first'), unique('second')]
  const purchase = { mode: 'subscription', priceCents: 10_000, taxBps: 2_000, metadata } as const
  const events: Delivery[] = [
    ...fake.checkout(first, purchase),
    ...fake.refund(first, { cents: 3_000 }),
    ...fake.dispute(first, 'opened'),
    ...fake.dispute(first, 'won'),
    ...fake.renew(first, second).slice(2),
    ...fake.refund(second, { cents: 1_200 }),
    ...fake.end(first),
  ]
  // The fake's clock runs a second per event: an event cannot happen after it arrives.
  service.clock.advance(60_000)
  return { program, events }
}

const resultOf = async ({ sales, earned, balance, events }: Awaited<ReturnType<typeof givenLife>>['program']) => ({
  sales: (await sales()).map(({ amountCents, currency }) => ({ amountCents, currency })),
  earned: await earned(),
  balance: await balance(),
  waiting: (await events('?fate=waiting')).length,
})

const EXPECTED = {
  sales: [
    { amountCents: 10_000, currency: 'USD' },
    { amountCents: 10_000, currency: 'USD' },
  ],
  earned: { commissions: 2, cents: 2_000, reversed: 350 },
  balance: { payableCents: 1_650, disputedCents: 0 },
  waiting: 0,
}

const expectLife = async (label: string, order: (events: Delivery[]) => Delivery[]) => {
  const { program, events } = await givenLife()
  expect(events).toHaveLength(LIFE)
  await program.send(order(events))
  expect({ label, ...(await resultOf(program)) }).toEqual({ label, ...EXPECTED })
}

const swapped = (events: Delivery[], at: number) => {
  const [one, two] = events.slice(at, at + 2)
  return one && two ? events.toSpliced(at, 2, two, one) : events
}

test('the events of a payment’s life give the same result in order, backwards and twice', async () => {
  await expectLife('in order', (events) => events)
  await expectLife('backwards', (events) => events.toReversed())
  await expectLife('twice', (events) => [...events, ...events])
}, 60_000)

test('every adjacent pair can arrive in either order', async () => {
  for (let at = 0; at < LIFE - 1; at++) await expectLife(`${at} and ${at + 1}`, (events) => swapped(events, at))
}, 120_000)

test.skipIf(!isLongRun)(
  'every pair can arrive before everything else, in either order',
  async () => {
    for (let one = 0; one < LIFE; one++)
      for (let two = 0; two < LIFE; two++)
        if (one !== two)
          await expectLife(`${one}, ${two} first`, (events) => {
            const early = [events[one], events[two]].filter((event) => event !== undefined)
            return [...early, ...events.filter((event) => !early.includes(event))]
          })
  },
  600_000,
)
