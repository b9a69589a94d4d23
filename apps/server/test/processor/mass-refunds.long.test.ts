import { expect, test } from 'bun:test'
import { createBatchQueue } from '../../src/database/batches.ts'
import { APP_ROLE, openDatabase, openPool } from '../../src/database/connect.ts'
import { createLog } from '../../src/log.ts'
import { receiveEvent, receiveEvents } from '../../src/processor/receive-event.ts'
import { readEvent } from '../../src/processor/stripe/translate.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { givenLedger, givenMoney } from '../money/given-money.ts'
import { unique } from '../support/given.ts'
import { SECRETS } from '../support/service.ts'
import { stripePayment } from './stripe-events.ts'

const ledger = await givenLedger()
const PARTNERS = 4
const PAYMENTS = 60

/**
 * A merchant refunds a day of payments at the processor, which delivers all of them concurrently, with no other
 * traffic.
 */
test('many concurrent refunds: each acknowledged one is deducted from its commission', async () => {
  const money = await givenMoney(ledger, undefined, PARTNERS)
  const inboxProgram = await findProgram(ledger.db, money.programId)
  if (!inboxProgram) throw new Error('the program does not exist')
  const source = {
    inboxProgram,
    endpointProgramId: inboxProgram.id,
    programIds: [inboxProgram.id],
    accountId: null,
    livemode: null,
  }
  const pool = openPool(ledger.databaseUrl, { max: 8, role: APP_ROLE })
  const db = openDatabase(pool)
  const dependencies = { clock: money.clock.now, hashKey: SECRETS.hashKey }
  const log = createLog('silent')
  const asReceived = (payload: object) => {
    const text = JSON.stringify(payload)
    const event = readEvent(text, money.clock.now())
    if (!event) throw new Error('an event')
    return { source, event, raw: Buffer.from(text) }
  }
  const payments = []
  for (let index = 0; index < PAYMENTS; index++) {
    const service_click_id = await money.click(index % PARTNERS)
    money.clock.advance(2_000)
    const metadata = { program_id: String(inboxProgram.id), service_customer_key: unique('customer'), service_click_id }
    const payment = stripePayment({
      metadata,
      amount: 10_000,
      tax: 0,
      created: Math.floor(money.clock.now().getTime() / 1000),
    })
    await receiveEvent({ ...dependencies, db: ledger.db, log }, asReceived(payment.intentSucceeded()))
    payments.push(payment)
  }
  const events = createBatchQueue(db, receiveEvents(dependencies), ({ source }) => source.inboxProgram.workspaceId)
  const shuffled = payments.toSorted(() => Math.random() - 0.5)
  const answers = await Promise.all(
    shuffled.map(async (payment, index) => {
      await Bun.sleep(Math.floor(index / 8) * 10)
      return receiveEvent(
        { ...dependencies, db, log },
        asReceived(payment.chargeRefunded(10_000, { refunded: true })),
        events,
      ).then(
        ({ duplicate }) => (duplicate ? 'duplicate' : 'acknowledged'),
        (error) => `refused ${error.code}`,
      )
    }),
  )
  await events.drain()
  const count = (of: string) => answers.filter((answer) => answer === of).length
  const { rows } = await ledger.pool.query(
    `SELECT (SELECT count(*)::int FROM processor_refunds WHERE program_id = $1 AND refunded_cents = 10000) AS refunded,
      (SELECT count(*)::int FROM processor_events WHERE program_id = $1 AND reason = 'not_processed') AS lost`,
    [inboxProgram.id],
  )
  expect((await money.verify()).differences).toEqual([])
  await pool.end()
  expect(rows[0].lost).toBe(0)
  // More may be applied than acknowledged: the processor sends those again, which changes nothing.
  expect(rows[0].refunded).toBeGreaterThanOrEqual(count('acknowledged') + count('duplicate'))
}, 90_000)
