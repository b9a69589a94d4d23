import { expect, test } from 'bun:test'
import { inTransaction } from '../src/database/transaction.ts'
import { sealAll } from '../src/money/ledger/seal.ts'
import { findProgram } from '../src/programs/programs.ts'
import { syncPayment } from '../src/tracking/payments/sync-payments.ts'
import { recordSales } from '../src/tracking/sales/record-sale.ts'
import { expectRefusal, givenClick, givenUser, unique } from './support/given.ts'
import { givenPayingProgram, givenRole, type PayingProgram } from './support/money.ts'
import { clickEventsOf, customerOf, leadsOf, salesOf } from './support/records.ts'
import { SECRETS } from './support/service.ts'
import { givenService } from './support/shared-service.ts'
import { untilWaiting } from './support/until-waiting.ts'
import { verifyProgram } from './support/verify-program.ts'

const service = await givenService()
const REWARD = {
  lead: { amountCents: 500 },
  sale: { percentBps: 2000, duration: 'lifetime' },
  holdDays: 0,
  minimumPayoutCents: 0,
}

/** No processor is connected here; see erasure-everywhere.long.test.ts. */
const NO_MESSAGES = { paymentReports: 0, processorEvents: 0 }

const givenBuyer = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const customerKey = `${unique('jane')}@example.com`
  const clickId = await givenClick(service, program.link, {
    page_url: 'https://shop.example/jane',
    referrer_url: 'https://mail.example/jane',
    session_id: 'session-of-jane',
  })
  await program.lead({ customer_key: customerKey, click_id: clickId, email: 'jane@example.com' })
  const invoice_id = unique('in')
  await program.sale({ customer_key: customerKey, amount: 10_000, invoice_id, metadata: { name: 'Jane' } })
  await program.sale({ additional_data: { test_mode: true }, customer_key: customerKey })
  await sealAll(service.db, service.clock.now())
  const erase = (body: object) => program.owner.call('POST', `${program.api}/customers/erase`, body)
  return { program, customerKey, clickId, invoice_id, erase }
}

/** All rows of all tables as one text. */
const wholeDatabase = async () => {
  const { rows: tables } = await service.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  )
  const texts = await Promise.all(
    tables.map(async ({ name }) => (await service.pool.query(`SELECT to_jsonb(t)::text AS text FROM ${name} t`)).rows),
  )
  return texts
    .flat()
    .map(({ text }) => text)
    .join('\n')
}
const differencesOf = async (programId: number) =>
  (await verifyProgram(service.db, { programId, sealedBefore: null })).differences

/** Commissions and balance, without the name of the customer. */
const moneyOf = async (program: PayingProgram) => {
  const commissions: { customerKey: string }[] = await program.commissions()
  return [commissions.map(({ customerKey: _, ...row }) => row), await program.balance()]
}

test('no personal data of the customer remains, and no money changes', async () => {
  const { program, customerKey, clickId, erase } = await givenBuyer()
  const money = await moneyOf(program)
  expect(await wholeDatabase()).toContain(customerKey)

  const { status, body } = await erase({ customerKey })
  expect(status).toBe(200)
  expect(body.data).toEqual({ customers: 1, sales: 1, clicks: 1, testEvents: 1, ...NO_MESSAGES })
  const left = await wholeDatabase()
  for (const word of [
    customerKey,
    'j***@example.com',
    'shop.example/jane',
    'mail.example/jane',
    'session-of-jane',
    'Jane',
  ])
    expect(left).not.toContain(word)
  expect(await customerOf(service, clickId)).toMatchObject({
    emailHash: null,
    emailMasked: null,
    customerStatus: 'customer',
  })
  expect(await clickEventsOf(service, program.link.id)).toMatchObject([{ visitorHash: null, clickId }])
  expect(await leadsOf(service, program.id)).toMatchObject([{ visitorHash: null, state: 'settled' }])

  expect(await moneyOf(program)).toEqual(money)
  expect(await differencesOf(program.id)).toEqual([])
  const { body: audit } = await program.owner.call('GET', `${program.api}/audit`)
  expect(JSON.stringify(audit)).toContain('personal data erased')
})

test('repeating the request, by key or by click, finds nothing left to do', async () => {
  const { program, customerKey, clickId, erase } = await givenBuyer()
  expect((await erase({ clickId })).body.data).toEqual({
    customers: 1,
    sales: 1,
    clicks: 1,
    testEvents: 1,
    ...NO_MESSAGES,
  })
  const after = await salesOf(service, program.id)
  const nothing = { customers: 0, sales: 0, clicks: 0, testEvents: 0, ...NO_MESSAGES }
  expect((await erase({ clickId })).body.data).toEqual(nothing)
  expect((await erase({ customerKey })).body.data).toEqual(nothing)
  expect((await erase({ customerKey: unique('nobody') })).body.data).toEqual(nothing)
  expect(await salesOf(service, program.id)).toEqual(after)

  const { rows } = await service.pool.query('SELECT customer_key, click_id FROM customer_keys WHERE program_id = $1', [
    program.id,
  ])
  const token = (await customerOf(service, clickId))?.customerKey
  expect(rows).toEqual([{ customer_key: token, click_id: clickId }])
  const { body } = await program.owner.call('GET', `${program.api}/customers?search=${token}`)
  expect(body.data).toMatchObject([{ id: clickId, customerKey: token }])
})

test('the erased key starts a new customer; the invoice and its refund still work', async () => {
  const { program, customerKey, invoice_id, erase } = await givenBuyer()
  await erase({ customerKey })
  const sale = await program.sale({ customer_key: customerKey, amount: 100, invoice_id: unique('in') })
  expect(sale.body).toMatchObject({ attributed: false, reason: 'customer_unknown' })
  const click_id = await givenClick(service, program.link)
  expect((await program.lead({ customer_key: customerKey, click_id })).body.duplicate).toBeUndefined()
  expect((await erase({ customerKey })).body.data).toMatchObject({ customers: 1, sales: 1 })
  const again = await program.sale({ customer_key: customerKey, amount: 10_000, invoice_id })
  expectRefusal(again, 409, 'duplicate_invoice')
  expect((await program.refund({ invoice_id })).body.reversed_amount).toBe(2_000)
  expect(await differencesOf(program.id)).toEqual([])
})

test('a customer without a lead is erased with their click, whether named by key or by click', async () => {
  for (const by of ['key', 'click']) {
    const program = await givenPayingProgram(service, REWARD)
    const [customer_key, page_title] = [unique('no-sign-up'), unique('title')]
    const click_id = await givenClick(service, program.link, { page_title })
    const sale = { customer_key, click_id, amount: 10_000, invoice_id: unique('in') }
    expect((await program.sale(sale)).body.attributed).toBe(true)
    const money = await moneyOf(program)
    const erase = () =>
      program.owner.call(
        'POST',
        `${program.api}/customers/erase`,
        by === 'key' ? { customerKey: customer_key } : { clickId: click_id },
      )
    expect((await erase()).body.data).toEqual({ customers: 0, sales: 1, clicks: 1, testEvents: 0, ...NO_MESSAGES })
    const left = await wholeDatabase()
    for (const word of [customer_key, page_title]) expect(left).not.toContain(word)
    expect(await moneyOf(program)).toEqual(money)
    expect(Object.values((await erase()).body.data).every((rows) => rows === 0)).toBe(true)
    expect(await differencesOf(program.id)).toEqual([])
  }
})

test('two customers on one click are separate: erasing one keeps the other', async () => {
  const { program, customerKey, clickId, erase } = await givenBuyer()
  const other = unique('other')
  await program.sale({ customer_key: other, click_id: clickId, amount: 5_000, invoice_id: unique('in') })
  expect((await erase({ customerKey: other })).body.data).toMatchObject({ sales: 1, clicks: 0 })
  expect(await wholeDatabase()).toContain('session-of-jane')
  await program.sale({ customer_key: `${other}-2`, click_id: clickId, amount: 5_000, invoice_id: unique('in') })
  expect((await erase({ clickId })).body.data).toMatchObject({ customers: 1, clicks: 1 })
  const left = await wholeDatabase()
  expect(left).toContain(`${other}-2`)
  for (const word of [customerKey, 'session-of-jane']) expect(left).not.toContain(word)
})

test('another customer, and the same key in another program, are unchanged', async () => {
  const [one, other] = [await givenBuyer(), await givenBuyer()]
  await other.program.lead({ customer_key: one.customerKey, click_id: await givenClick(service, other.program.link) })
  const before = [await salesOf(service, other.program.id), await customerOf(service, other.clickId)]
  await one.erase({ customerKey: one.customerKey })
  expect([await salesOf(service, other.program.id), await customerOf(service, other.clickId)]).toEqual(before)
  const { body } = await other.program.lead({ customer_key: one.customerKey })
  expect(body.duplicate).toBe(true)
})

test('only an owner or admin may erase, and a request names one customer', async () => {
  const { program, customerKey, erase } = await givenBuyer()
  for (const role of ['member', 'viewer', 'billing']) {
    const user = await givenUser(service)
    await givenRole(service, program.workspaceId, user, role)
    expectRefusal(await user.call('POST', `${program.api}/customers/erase`, { customerKey }), 403, 'forbidden')
  }
  expectRefusal(await service.call('POST', `${program.api}/customers/erase`, { customerKey }), 401, 'unauthenticated')
  for (const body of [{}, { customerKey, clickId: 'x' }, { customerKey: '' }, { customerKey: 1 }])
    expectRefusal(await erase(body), 400, 'invalid_request')
  expect(await wholeDatabase()).toContain(customerKey)
})

/** Records a sale in a transaction that stays open until the test commits it. */
const recordHeld = async (programId: number, customerKey: string) => {
  const [recorded, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = inTransaction(service.db, async (tx) => {
    const program = await findProgram(tx, programId)
    if (!program) throw new Error('the program does not exist')
    const sale = {
      program,
      invoiceId: unique('in'),
      customerKey,
      clickId: null,
      amountCents: 1_000,
      currency: 'USD',
      eventName: null,
      subscriptionId: null,
      metadata: { name: 'Jane' },
      once: null,
    }
    await recordSales({ clock: service.clock.now, hashKey: SECRETS.hashKey }, syncPayment)(tx, [sale])
    recorded.resolve()
    await released.promise
  })
  await recorded.promise
  return {
    commit: () => {
      released.resolve()
      return ended
    },
  }
}

test('an erasure waits for a sale of the customer that is being recorded, and erases it too', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const customerKey = await program.customer()
  await program.sale({ customer_key: customerKey, amount: 1_000, invoice_id: unique('in') })
  const sale = await recordHeld(program.id, customerKey)
  const erased = program.owner.call('POST', `${program.api}/customers/erase`, { customerKey })
  await untilWaiting(service.pool)
  await sale.commit()
  expect((await erased).body.data).toMatchObject({ customers: 1, sales: 2 })
  const sales = await salesOf(service, program.id)
  expect(sales.map(({ metadata }) => metadata)).toEqual([null, null])
  expect(sales.some((sale) => sale.customerKey === customerKey)).toBe(false)
})
