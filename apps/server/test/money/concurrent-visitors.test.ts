import { expect, test } from 'bun:test'
import { Refusal } from '../../src/refusal.ts'
import { givenLedger, givenMoney, type Money } from './given-money.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from './nightly.ts'

const ledger = await givenLedger()
const CUSTOMERS = 6
const AMOUNT_CENTS = 1_000

const pick = (below: number) => Math.floor(Math.random() * below)
const shuffled = <T>(list: T[]) =>
  list
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)

/**
 * Runs everything two or three times, in any order, in batches of any size; a refusal is a valid outcome, any other
 * error is a bug.
 */
const play = async (calls: (() => Promise<unknown>)[]) => {
  const all = shuffled([...calls, ...calls, ...calls.filter(() => pick(3) === 0)])
  while (all.length > 0) {
    const ends = await Promise.allSettled(all.splice(0, 1 + pick(40)).map((call) => call()))
    for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof Refusal)) throw end.reason
  }
}

/** Visitors who click repeatedly, sign up and buy, some of them unknown until the end. */
const crowd = async (money: Money) => {
  const { lead, sale } = money.underLoad()
  const people = await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, index) => ({
      customerKey: `user-${index}`,
      clickId: await money.click(),
    })),
  )
  const signUps = people.map((person) => () => lead(person))
  const purchases = people.flatMap(({ customerKey, clickId }, index) =>
    [1, 2, 3].map((n) => () => {
      const sold = { customerKey, amountCents: AMOUNT_CENTS, invoiceId: `in-${index}-${n}` }
      return sale(n === 3 ? { ...sold, clickId } : sold)
    }),
  )
  const strangers = [1, 2].map((n) => () => sale({ customerKey: 'stranger', amountCents: 1, invoiceId: `in-x-${n}` }))
  const returning = people.map(
    ({ clickId }) =>
      () =>
        money.click(0, null, clickId),
  )
  await play([...signUps, ...purchases, ...strangers, ...returning])
}

const soldBy = async ({ programId }: Money) => {
  const { rows } = await ledger.pool.query(
    'SELECT count(*)::integer AS sales, count(click_id)::integer AS credited, count(DISTINCT click_id)::integer AS customers FROM sales WHERE program_id = $1',
    [programId],
  )
  return rows[0]
}

const SOLD = { sales: 3 * CUSTOMERS + 2, credited: 3 * CUSTOMERS, customers: CUSTOMERS }
const TERMS = { lifetime: 3, first: 1 } as const

for (const [duration, paid] of Object.entries(TERMS))
  test(
    `concurrent visitors, each more than once: every sale is recorded once, and ${duration} terms pay each customer's ${paid}`,
    async () => {
      for (let round = 0; round < cases({ short: 1, small: 4, nightly: 300 }); round++) {
        const money = await givenMoney(ledger, {
          sale: { percentBps: 1_000, duration: duration as keyof typeof TERMS },
        })
        money.clock.run()
        await crowd(money)
        expect(await soldBy(money)).toEqual(SOLD)
        expect(await money.balance()).toMatchObject({ payableCents: CUSTOMERS * paid * (AMOUNT_CENTS / 10) })
        expect((await money.verify()).differences).toEqual([])
      }
    },
    NIGHTLY_TIMEOUT_MS,
  )
