import { expect, test } from 'bun:test'
import { createBatchQueue } from '../../src/database/batches.ts'
import { APP_ROLE, openPool } from '../../src/database/connect.ts'
import { openKysely } from '../../src/database/kysely.ts'
import { MONEY_LOCK_TIMEOUT_MS } from '../../src/database/pools.ts'
import { createLog } from '../../src/log.ts'
import { readBatchable } from '../../src/processor/apply-event.ts'
import { receiveEvent, receiveEvents } from '../../src/processor/receive-event.ts'
import { readEvent } from '../../src/processor/stripe/translate.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { givenLedger, givenMoney } from '../money/given-money.ts'
import { unique } from '../support/given.ts'
import { SECRETS } from '../support/service.ts'
import { stripePayment } from './stripe-events.ts'

const ledger = await givenLedger()

const givenShop = async () => {
  const money = await givenMoney(ledger)
  const inboxProgram = await findProgram(ledger.db, money.programId)
  if (!inboxProgram) throw new Error('the program does not exist')
  const source = {
    inboxProgram,
    endpointProgramId: inboxProgram.id,
    programIds: [inboxProgram.id],
    accountId: null,
    livemode: null,
  }
  const service_click_id = await money.click()
  money.clock.advance(2_000)
  const event = () => {
    const created = Math.floor(money.clock.now().getTime() / 1000)
    const metadata = { program_id: String(inboxProgram.id), service_customer_key: unique('customer'), service_click_id }
    const text = JSON.stringify(stripePayment({ metadata, created }).completed())
    const read = readEvent(text, money.clock.now())
    if (!read) throw new Error('an event')
    return { source, event: read, raw: Buffer.from(text) }
  }
  return { money, inboxProgram, event }
}

/** Merchant A's payments are locked for some seconds. B is unrelated. */
test('an event is applied and acknowledged while those of another merchant wait for a lock', async () => {
  const [a, b] = [await givenShop(), await givenShop()]
  const pool = openPool(ledger.databaseUrl, { max: 8, role: APP_ROLE })
  // As the service does for processor events.
  const db = openKysely(pool, { lockTimeoutMs: MONEY_LOCK_TIMEOUT_MS })
  const dependencies = { clock: b.money.clock.now, hashKey: SECRETS.hashKey }
  const events = createBatchQueue(db, receiveEvents(dependencies), ({ source }) => source.inboxProgram.workspaceId)
  const receive = (received: ReturnType<typeof a.event>) =>
    receiveEvent({ ...dependencies, db, log: createLog('silent') }, received, events).then(
      (kept) => (kept.duplicate ? 'duplicate' : 'acknowledged'),
      (error) => `refused: ${error.code}`,
    )
  const ofA = Array.from({ length: 6 }, a.event)
  const client = await ledger.pool.connect()
  await client.query('BEGIN')
  const reports = ofA.flatMap(({ source, event }) => readBatchable(source, event) ?? [])
  for (const read of reports)
    for (const reference of 'report' in read ? read.report.references : [])
      await client.query('INSERT INTO payment_references (program_id, reference) VALUES ($1, $2)', [
        a.inboxProgram.id,
        reference,
      ])
  const answers: Promise<string>[] = []
  const send = (index: number) => void answers.push(receive(ofA[index] as (typeof ofA)[number]))
  // Each of the three writers waits for A.
  send(0)
  await Bun.sleep(50)
  send(1)
  await Bun.sleep(50)
  send(2)
  send(3)
  await Bun.sleep(500)
  send(4)
  const eventOfB = b.event()
  const answerToB = receive(eventOfB)
  send(5)
  const answer = await answerToB
  await Promise.all(answers)
  await client.query('ROLLBACK')
  client.release()
  const { rows } = await ledger.pool.query(`SELECT (SELECT count(*)::int FROM sales WHERE program_id = $1) AS sales`, [
    b.inboxProgram.id,
  ])
  await pool.end()
  expect([answer, rows[0].sales]).toEqual(['acknowledged', 1])
}, 60_000)
