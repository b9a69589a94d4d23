import { expect, test } from 'bun:test'
import { givenLedger, givenMoney, type Money } from './given-money.ts'

const ledger = await givenLedger()
const REWARD = { lead: { amountCents: 50 }, sale: { percentBps: 1_000, duration: 'lifetime' } } as const
const CUSTOMERS = 50

const leadsOf = async ({ programId }: Money) => {
  const { rows } = await ledger.pool.query(
    `SELECT count(*)::int AS leads, count(DISTINCT leads.xmin::text)::int AS transactions,
      count(DISTINCT customer_key)::int AS customers, count(DISTINCT leads.partner_id)::int AS partners
    FROM leads JOIN customers ON customers.program_id = leads.program_id AND customers.click_id = leads.click_id
    WHERE leads.program_id = $1`,
    [programId],
  )
  return rows[0]
}

const moneyOf = async (money: Money) => {
  const { rows } = await ledger.pool.query(
    'SELECT reason, count(*)::int AS reviews FROM commission_reviews WHERE program_id = $1 GROUP BY reason',
    [money.programId],
  )
  expect((await money.verify()).differences).toEqual([])
  return { balance: { ...(await money.balance()), partnerId: 0 }, reviews: rows }
}

type SignUp = { customerKey: string; clickId: string }

/** Retries calls that a busy service rejects, as merchants do. */
const sendAll = (money: Money, calls: SignUp[]) => {
  const { lead } = money.underLoad()
  const retryBusy = (call: SignUp): Promise<unknown> =>
    lead(call).catch((error) => {
      if (!['overloaded', 'unavailable'].includes(error.code)) throw error
      return retryBusy(call)
    })
  return Promise.allSettled(calls.map(retryBusy))
}

const signUps = (clickId: string) =>
  Array.from({ length: CUSTOMERS }, (_, index) => ({ customerKey: `user-${index}`, clickId }))

test('customers of one click wait only for the first of them, and then share transactions', async () => {
  const money = await givenMoney(ledger, REWARD)
  const ended = await sendAll(money, signUps(await money.click()))
  expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
  const { transactions, ...recorded } = await leadsOf(money)
  expect(recorded).toEqual({ leads: CUSTOMERS, customers: CUSTOMERS, partners: 1 })
  expect(transactions).toBeLessThan(CUSTOMERS / 2)

  const calm = await givenMoney(ledger, REWARD)
  const clickId = await calm.click()
  for (const { customerKey } of signUps(clickId)) await calm.lead(customerKey, clickId)
  expect(await moneyOf(money)).toEqual(await moneyOf(calm))
})

test('calls with the same customer on a taken click are still one lead', async () => {
  const money = await givenMoney(ledger, REWARD)
  const clickId = await money.click()
  const ended = await sendAll(money, [...signUps(clickId), ...signUps(clickId), ...signUps(clickId)])
  expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await leadsOf(money)).toMatchObject({ leads: CUSTOMERS, customers: CUSTOMERS })
  expect((await money.verify()).differences).toEqual([])
})

test('a rejected first customer leaves the click to the next', async () => {
  const money = await givenMoney(ledger, REWARD)
  const clickId = await money.click()
  const [refused, ...others] = await sendAll(money, [{ customerKey: 'a\0b', clickId }, ...signUps(clickId)])
  expect(refused?.status).toBe('rejected')
  expect(others.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await leadsOf(money)).toMatchObject({ leads: CUSTOMERS, customers: CUSTOMERS })
  expect((await money.verify()).differences).toEqual([])
})
