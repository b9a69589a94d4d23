import { expect, test } from 'bun:test'
import type { Database } from '../../src/database/connect.ts'
import { createLog } from '../../src/log.ts'
import { receiveEvent } from '../../src/processor/receive-event.ts'
import { readEvent } from '../../src/processor/stripe/translate.ts'
import { stripePayment } from '../processor/stripe-events.ts'
import { SECRETS } from '../support/service.ts'
import { openBreakingDatabase } from './breaking-database.ts'
import { givenLedger, givenMoney } from './given-money.ts'

const ledger = await givenLedger()
const REWARD = { lead: { amountCents: 50 }, sale: { percentBps: 1_000, duration: 'lifetime' } } as const

/** The statements that an operation sends between BEGIN and COMMIT. */
const statementsOf = async (run: (db: Database) => Promise<unknown>) => {
  const counting = openBreakingDatabase(ledger, { statement: Number.POSITIVE_INFINITY, when: 'after' })
  await run(counting.db)
  await counting.close()
  const { statements } = counting
  return statements.slice(statements.indexOf('begin') + 1, statements.indexOf('commit'))
}

// A statement costs a round trip; these limits keep one from being added unnoticed.
test('a lead with a commission takes at most five statements', async () => {
  const money = await givenMoney(ledger, REWARD)
  const clickId = await money.click(0, '\\x01')
  const statements = await statementsOf((handle) => money.lead('customer', clickId, { handle }))
  expect(statements.length).toBeLessThanOrEqual(5)
})

test('a repeated lead takes two', async () => {
  const money = await givenMoney(ledger, REWARD)
  const clickId = await money.click()
  await money.lead('customer', clickId)
  const statements = await statementsOf((handle) => money.lead('customer', clickId, { handle }))
  expect(statements.length).toBeLessThanOrEqual(2)
})

test('a sale with a commission takes four, also the first of a customer', async () => {
  const money = await givenMoney(ledger, REWARD)
  const key = await money.customer()
  const first = await statementsOf((db) => money.sale(key, 1_000, 'in-1', db))
  const second = await statementsOf((db) => money.sale(key, 1_000, 'in-2', db))
  expect([first.length, second.length]).toEqual([4, 4])
})

test('a webhook that reports the payment of a known customer takes at most twelve, two of them for a new address', async () => {
  const money = await givenMoney(ledger, REWARD)
  const key = await money.customer()
  money.clock.advance(2_000)
  const { program, programId } = money
  const created = Math.floor(money.clock.now().getTime() / 1000)
  const metadata = { program_id: String(programId), service_customer_key: key }
  const text = JSON.stringify(stripePayment({ metadata, created }).completed())
  const event = readEvent(text, money.clock.now())
  if (!event) throw new Error('the event is unreadable')
  const source = {
    inboxProgram: program,
    endpointProgramId: programId,
    programIds: [programId],
    accountId: null,
    livemode: null,
    chargesEnabled: true,
  }
  const deps = { clock: money.clock.now, hashKey: SECRETS.hashKey, log: createLog('silent') }
  const statements = await statementsOf((db) =>
    receiveEvent({ ...deps, db }, { source, event, raw: Buffer.from(text) }),
  )
  expect(statements.length).toBeLessThanOrEqual(12)
})
