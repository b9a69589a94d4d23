import { describe, expect, test } from 'bun:test'
import { createLog } from '../../src/log.ts'
import { reconcile } from '../../src/processor/reconcile.ts'
import { expectRefusal } from '../support/given.ts'
import { givenSale } from '../support/money.ts'
import { SECRETS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { givenProcessor, type ProcessorProgram } from './given-processor.ts'
import { startStandIn } from './stand-in.ts'
import { accountUpdated, event, stripePayment } from './stripe-events.ts'

const service = await givenService()
const standIn = startStandIn()

const replay = async (program: ProcessorProgram, body: object = {}) => {
  const answer = await program.owner.call('POST', `${program.api}/processor/replay`, { since: '2020-01-01', ...body })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data
}

/** Everything that could contain money. */
const everything = async ({ id }: ProcessorProgram) => {
  const { rows } = await service.pool.query(
    `SELECT (SELECT json_agg(sales ORDER BY id) FROM sales WHERE program_id = $1) AS sales,
      (SELECT json_agg(refunds ORDER BY id) FROM refunds WHERE program_id = $1) AS refunds,
      (SELECT json_agg(processor_refunds ORDER BY sale_id) FROM processor_refunds WHERE program_id = $1) AS processor_refunds,
      (SELECT json_agg(ledger_lines ORDER BY id) FROM ledger_lines WHERE program_id = $1) AS lines,
      (SELECT json_agg(leads ORDER BY id) FROM leads WHERE program_id = $1) AS leads,
      (SELECT json_agg(payment_reports ORDER BY id) FROM payment_reports WHERE program_id = $1) AS reports,
      (SELECT json_agg(test_events ORDER BY id) FROM test_events WHERE program_id = $1) AS tests,
      (SELECT json_agg(processor_connections) FROM processor_connections WHERE program_id = $1) AS connections,
      (SELECT json_agg(processor_events ORDER BY id) FROM processor_events WHERE program_id = $1) AS events`,
    [id],
  )
  return rows[0]
}

const givenHistory = async () => {
  const program = await givenProcessor(service)
  const one = await program.payment()
  const two = await program.payment({ generation: '2024' })
  await program.send(
    one.completed(),
    one.chargeSucceeded(),
    one.refund('refund.created', 're_1', { amount: 119, status: 'succeeded' }),
    { ...two.invoicePaid(), created: Math.floor(service.clock.now().getTime() / 1000) + 60 },
    two.dispute('charge.dispute.created', 'needs_response'),
    (await program.payment({ livemode: false })).completed(),
    event('2026', 'price.created', { id: 'price_1' }),
    stripePayment({ metadata: { program_id: '987654' } }).completed(),
  )
  return program
}

describe('a replay', () => {
  test('of everything, twice, changes nothing', async () => {
    const program = await givenHistory()
    const before = await everything(program)
    for (const _ of [1, 2]) {
      const { events, changes, before: was, after: is } = await replay(program, { dryRun: false })
      expect({ events, changes }).toEqual({ events: 8, changes: [] })
      expect(is).toEqual(was)
    }
    expect(await everything(program)).toEqual(before)
  })

  test('applies an event that was refused for a reason that no longer holds; a dry run shows it and stores nothing', async () => {
    const program = await givenProcessor(service)
    const late = await givenProcessor(service)
    const payment = await late.payment()
    const given = payment.completed()
    await program.send(given, (await program.payment()).completed())
    // The program joins the workspace.
    await service.db
      .updateTable('programs')
      .set({ workspaceId: program.workspaceId })
      .where('id', '=', late.id)
      .execute()

    const before = await everything(program)
    const changes = [
      {
        id: given.id,
        type: given.type,
        before: { fate: 'refused', reason: 'program_of_others' },
        after: { fate: 'applied', reason: 'payment_recorded' },
      },
    ]
    const dry = await replay(program)
    expect(dry).toMatchObject({
      dryRun: true,
      events: 2,
      remaining: 0,
      next: null,
      changes,
      before: { sales: 1, salesCents: 1000 },
      after: { sales: 2, salesCents: 2000 },
      sales: [{ before: null, after: { programId: late.id, amountCents: 1000, refundedCents: 0, reason: null } }],
    })
    expect(await everything(program)).toEqual(before)
    expect(await late.sales()).toEqual([])

    expect(await replay(program, { dryRun: false })).toMatchObject({ changes })
    expect(await late.sales()).toHaveLength(1)
    expect(await replay(program, { dryRun: false })).toMatchObject({ changes: [], sales: [] })
    expect((await program.owner.call('GET', `${program.api}/audit?search=replayed`)).body.data).toMatchObject([
      { action: 'events replayed', after: { since: '2020-01-01T00:00:00.000Z', events: 2, changes: 1, sales: 1 } },
    ])
    expect(await program.event(given.id)).toMatchObject({ fate: 'applied', programId: late.id })
  })

  test('counts all refunds, also those that only the merchant reported', async () => {
    const program = await givenProcessor(service)
    const payment = await program.payment()
    await program.send(
      payment.completed(),
      payment.chargeSucceeded(),
      payment.refund('refund.created', 're_1', { amount: 119, status: 'succeeded' }),
    )
    await program.refund({ invoice_id: payment.ids.session, amount: 119, refund_id: 're_1' })
    const { invoice_id } = await givenSale(program, 5_000)
    for (const amount of [1_000, 700]) await program.refund({ invoice_id, amount })
    await program.refund({ invoice_id: (await givenSale(program, 300)).invoice_id })
    await givenSale(program, 80)
    const money = { sales: 4, salesCents: 6_380, refunds: 3, refundedCents: 2_100 }
    expect(await replay(program)).toMatchObject({ before: money, after: money })
  })

  test('skips events of another account, and does not reset a connection', async () => {
    const program = await givenProcessor(service)
    const put = { webhookSecret: program.secret, accountId: 'acct_own' }
    await program.owner.call('PUT', `${program.api}/processor`, put)
    const flags = { charges_enabled: false, payouts_enabled: false, details_submitted: false }
    await program.send(
      (await program.payment({ account: 'acct_other' })).completed(),
      accountUpdated('acct_own', flags),
    )
    await program.owner.call('DELETE', `${program.api}/processor`)
    expect(await replay(program, { dryRun: false })).toMatchObject({ events: 2, changes: [] })
    expect(await program.sales()).toEqual([])
    expect(await program.connection()).toMatchObject({ status: 'disconnected' })
  })

  test('leaves an event that this service fails on unchanged, and applies the rest', async () => {
    const program = await givenProcessor(service)
    const payment = await program.payment()
    const refund = (id: string) => payment.refund('refund.created', id, { amount: 119, status: 'succeeded' })
    const [first, broken, last] = [refund('re_1'), refund('re_broken'), refund('re_2')]
    const failing = async (about: string, work: () => Promise<unknown>) => {
      await service.pool.query(`ALTER TABLE payment_reports ADD CONSTRAINT broken CHECK (
        program_id <> ${program.id} OR report->'says'->>'refundId' NOT LIKE '${about}') NOT VALID`)
      await work().finally(() => service.pool.query('ALTER TABLE payment_reports DROP CONSTRAINT broken'))
    }
    await program.send(payment.completed(), payment.chargeSucceeded())
    await failing('re_%', () => program.send(first, broken, last))
    const made = (id: string) => ({
      id,
      type: 'refund.created',
      before: { fate: 'waiting', reason: 'not_processed' },
      after: { fate: 'applied', reason: 'refund_recorded' },
    })
    await failing('re_broken', async () => {
      const changes = [made(first.id), made(last.id)]
      expect(await replay(program)).toMatchObject({ events: 5, changes, after: { refundedCents: 200 } })
      expect(await replay(program, { dryRun: false })).toMatchObject({ events: 5, changes })
    })
    expect(await program.event(broken.id)).toMatchObject({ fate: 'waiting', reason: 'not_processed' })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 20 }])
    expect(await replay(program, { dryRun: false })).toMatchObject({ changes: [made(broken.id)] })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 30 }])
  })

  test('continues after the previous page, and starts where requested', async () => {
    const program = await givenProcessor(service)
    // A type that is only stored: other tests cover how events are processed.
    for (let index = 0; index < 101; index++) await program.send(event('2026', 'price.created', { id: 'price_1' }))
    const { next, ...first } = await replay(program)
    expect(first).toMatchObject({ events: 100, remaining: 1 })
    expect(await replay(program, { after: next })).toMatchObject({ events: 1, remaining: 0, next: null })
    expect(await replay(program, { since: '2099-01-01' })).toMatchObject({ events: 0, next: null })
  })

  test.each([
    {},
    { since: 'yesterday' },
    { since: '2026-02-30' },
    { since: '2026-11-01', dryRun: 'no' },
  ])('of %j is rejected', async (body) => {
    const program = await givenProcessor(service)
    expectRefusal(await program.owner.call('POST', `${program.api}/processor/replay`, body), 400, 'invalid_request')
  })
})

describe('reconcile', () => {
  const stripe = {
    secretKey: null,
    clientId: null,
    webhookSecret: null,
    apiKey: 'rk_live_merchant',
    apiBase: standIn.url,
    connectBase: standIn.url,
  }
  const deps = { db: service.db, clock: service.clock.now, hashKey: SECRETS.hashKey, log: createLog('silent'), stripe }

  test('fetches events that never arrived, once, and skips those that did', async () => {
    const program = await givenProcessor(service)
    const payments = [await program.payment(), await program.payment(), await program.payment()]
    const events = payments.flatMap((payment) => [payment.completed(), payment.chargeSucceeded()])
    const links = Array.from({ length: 96 }, () => (payments[0] as (typeof payments)[0]).chargeSucceeded())
    const [first, second] = events
    if (!first || !second) throw new Error('events')
    await program.send(first, second)
    const old = { ...(await program.payment()).completed(), created: 1_600_000_000 }
    standIn.hold(...events, ...links, old)

    const pages: number[] = []
    const run = () => reconcile(deps, { programId: program.id, days: 7, onPage: ({ listed }) => pages.push(listed) })
    expect(await run()).toEqual({ listed: 102, known: 2, recovered: 100 })
    expect(pages).toEqual([100, 102])
    expect(await program.sales()).toHaveLength(3)
    expect(await run()).toEqual({ listed: 102, known: 102, recovered: 0 })
    expect(await program.sales()).toHaveLength(3)
    // A webhook that arrives afterwards changes nothing.
    expect((await program.deliver(events[4] ?? first)).body).toMatchObject({ duplicate: true })
    const listing = standIn.seen.find(({ path }) => path === '/v1/events')
    expect(listing?.headers.get('authorization')).toBe('Bearer rk_live_merchant')
    expect(listing?.headers.get('stripe-account')).toBeNull()
  })

  test('names the missing part: a connection, a key, the right key', async () => {
    const program = await givenProcessor(service)
    const messageOf = (more: object, programId = program.id) =>
      reconcile({ ...deps, stripe: { ...stripe, ...more } }, { programId, days: 7 }).then(
        String,
        (error) => error.message,
      )
    expect(await messageOf({ apiKey: null })).toContain('STRIPE_API_KEY')
    expect(await messageOf({ apiKey: 'sk_wrong' })).toContain('Invalid API Key')
    expect(await messageOf({}, 987_654)).toContain('not connected')
    const body = { webhookSecret: program.secret, accountId: 'acct_of_another' }
    await program.owner.call('PUT', `${program.api}/processor`, body)
    expect(await messageOf({})).toContain(
      'belongs to account acct_of_the_key, but the program is connected to acct_of_another',
    )
  })
})
