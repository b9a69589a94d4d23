import { describe, expect, test } from 'bun:test'
import { expectRefusal, unique } from '../support/given.ts'
import type { PayingProgram } from '../support/money.ts'
import { givenPlatform } from './given-platform.ts'
import { accountUpdated, deauthorized, stripePayment } from './stripe-events.ts'

const { service, givenMerchant, connect, connectionOf, deliver, salesOf, paymentOf } = await givenPlatform()
const MINUTE_MS = 60_000

describe('events of the platform', () => {
  test('are assigned by account, and credited to that workspace only', async () => {
    const [one, two] = [await givenMerchant(), await givenMerchant()]
    const [first, second] = [unique('acct'), unique('acct')]
    await connect(one, first)
    await connect(two, second)
    await deliver(paymentOf(one, first).completed())
    await deliver(paymentOf(one, second).completed())
    expect(await salesOf(one)).toHaveLength(1)
    expect((await two.owner.call('GET', `${two.api}/processor/events`)).body.data).toMatchObject([
      { fate: 'refused', reason: 'program_of_others', accountId: second },
    ])
  })

  test('belong to no endpoint of a program, and a replay says nothing about what the account can do', async () => {
    const program = await givenMerchant()
    const account = unique('acct')
    await connect(program, account)
    await service.pool.query(
      'UPDATE processor_connections SET charges_enabled = false, flags_at = NULL WHERE program_id = $1',
      [program.id],
    )
    await deliver(paymentOf(program, account).completed())
    const { rows } = await service.pool.query(
      'SELECT endpoint_program_id AS endpoint FROM processor_events WHERE program_id = $1',
      [program.id],
    )
    expect(rows).toEqual([{ endpoint: null }])
    const body = { since: '2020-01-01', dryRun: false }
    expect((await program.owner.call('POST', `${program.api}/processor/replay`, body)).status).toBe(200)
    expect((await connectionOf(program)).chargesEnabled).toBe(false)
  })

  test('of an unconnected account, or of none, are stored separately and answered 2xx with a reason', async () => {
    const program = await givenMerchant()
    const unassigned = paymentOf(program, unique('acct')).completed()
    const own = stripePayment().completed()
    for (const event of [unassigned, unassigned, own])
      expect(await deliver(event)).toMatchObject({
        status: 200,
        body: { success: true, received: true, reason: 'account_not_connected' },
      })
    const kept = await service.db
      .selectFrom('processorUnassignedEvents')
      .selectAll()
      .where('eventId', 'in', [unassigned.id, own.id])
      .execute()
    expect(kept).toHaveLength(2)
    expect(Buffer.from(kept.find(({ eventId }) => eventId === unassigned.id)?.payload ?? []).toString()).toBe(
      JSON.stringify(unassigned),
    )
    expect(await salesOf(program)).toEqual([])
  })

  describe('from before their account was connected', () => {
    const eventsOf = async (program: PayingProgram) =>
      (await program.owner.call('GET', `${program.api}/processor/events`)).body.data

    test('are credited to the workspace that connects it, with their refunds, in any order', async () => {
      const program = await givenMerchant()
      const account = unique('acct')
      const payment = paymentOf(program, account)
      await deliver(payment.chargeRefunded(595))
      await deliver(payment.completed())
      await deliver(accountUpdated(account, { charges_enabled: false }, { account }))
      await connect(program, account)
      expect(await salesOf(program)).toMatchObject([{ amountCents: 1_000 }])
      const outcomes = (await eventsOf(program)).map(({ type, fate, reason }: Record<string, string>) => [
        type,
        fate,
        reason,
      ])
      expect(outcomes.toSorted()).toEqual([
        ['account.updated', 'ignored', 'before_connection'],
        ['charge.refunded', 'applied', 'refund_recorded'],
        ['checkout.session.completed', 'applied', 'customer_unknown'],
      ])
      // The account status from the API is newer.
      expect(await connectionOf(program)).toMatchObject({ status: 'connected', chargesEnabled: true })
      expect((await deliver(payment.completed())).status).toBe(200)
      expect(await salesOf(program)).toHaveLength(1)
    })

    test('are credited once, even if the account moves to another workspace', async () => {
      const [one, other] = [await givenMerchant(), await givenMerchant()]
      const account = unique('acct')
      await deliver(paymentOf(one, account).completed())
      await connect(one, account)
      await one.owner.call('DELETE', `${one.api}/processor`)
      await connect(other, account)
      expect(await eventsOf(other)).toEqual([])
      expect(await salesOf(one)).toHaveLength(1)
    })

    test('or while it was disconnected are applied once it is connected again', async () => {
      const program = await givenMerchant()
      const account = unique('acct')
      await connect(program, account)
      const created = Math.floor(service.clock.now().getTime() / 1000)
      await deliver(deauthorized(account, { created }))
      await deliver(paymentOf(program, account).completed())
      expect(await salesOf(program)).toEqual([])
      service.clock.advance(MINUTE_MS)
      await connect(program, account)
      expect(await connectionOf(program)).toMatchObject({ status: 'connected' })
      expect(await salesOf(program)).toHaveLength(1)
    })

    test('are not lost if one is delivered while it is being connected', async () => {
      const program = await givenMerchant()
      const account = unique('acct')
      const events = Array.from({ length: 20 }, () => paymentOf(program, account).completed())
      const queue = [...events]
      // As the processor does: one after the other on a few connections, each until it is answered 2xx.
      const sender = async () => {
        for (let event = queue.pop(); event; event = queue.pop())
          if ((await deliver(event)).status !== 200) queue.push(event)
      }
      const [connected] = await Promise.all([connect(program, account), ...Array.from({ length: 4 }, sender)])
      expect(connected.status).toBe(302)
      expect(await salesOf(program)).toHaveLength(events.length)
    })

    test('that this service fails on are kept for a replay, and the account is connected', async () => {
      const program = await givenMerchant()
      const account = unique('acct')
      await deliver(paymentOf(program, account).completed())
      await service.pool.query(`ALTER TABLE payment_reports ADD CONSTRAINT broken CHECK (program_id <> ${program.id})`)
      await connect(program, account)
      await service.pool.query('ALTER TABLE payment_reports DROP CONSTRAINT broken')
      expect(await connectionOf(program)).toMatchObject({ status: 'connected' })
      expect(await eventsOf(program)).toMatchObject([{ fate: 'waiting', reason: 'not_processed' }])
      await program.owner.call('POST', `${program.api}/processor/replay`, {
        since: '2020-01-01T00:00:00Z',
        dryRun: false,
      })
      expect(await salesOf(program)).toHaveLength(1)
    })

    test('that fail after creating and changing a sale leave nothing of it, and the account is connected', async () => {
      const program = await givenMerchant()
      const account = unique('acct')
      const payment = paymentOf(program, account)
      // Applied in order of their time, so that one event creates the sale and refunds it.
      const refunded = payment.chargeRefunded(595)
      await deliver(refunded)
      await deliver({ ...payment.completed(), created: refunded.created + 1 })
      await service.pool.query(
        `ALTER TABLE processor_refunds ADD CONSTRAINT broken CHECK (program_id <> ${program.id})`,
      )
      await connect(program, account)
      await service.pool.query('ALTER TABLE processor_refunds DROP CONSTRAINT broken')
      expect(await connectionOf(program)).toMatchObject({ status: 'connected' })
      expect(await salesOf(program)).toEqual([])
      await program.owner.call('POST', `${program.api}/processor/replay`, {
        since: '2020-01-01T00:00:00Z',
        dryRun: false,
      })
      expect(await salesOf(program)).toMatchObject([{ amountCents: 1_000 }])
    })
  })

  test('with a foreign signature are rejected and not stored', async () => {
    const event = paymentOf(await givenMerchant(), unique('acct')).completed()
    expectRefusal(await deliver(event, 'whsec_other'), 400, 'invalid_signature')
    expect(
      await service.db
        .selectFrom('processorUnassignedEvents')
        .select('eventId')
        .where('eventId', '=', event.id)
        .execute(),
    ).toEqual([])
  })

  test('account.updated updates the flags, and account.application.deauthorized disconnects', async () => {
    const program = await givenMerchant()
    const account = unique('acct')
    await connect(program, account)
    const flags = { charges_enabled: false, payouts_enabled: false, details_submitted: true }
    await deliver(accountUpdated(account, flags, { account }))
    expect(await connectionOf(program)).toMatchObject({
      status: 'restricted',
      chargesEnabled: false,
      payoutsEnabled: false,
      detailsSubmitted: true,
    })
    const at = Math.floor(service.clock.now().getTime() / 1000)
    await deliver(deauthorized(account, { created: at - 60 }))
    expect(await connectionOf(program)).toMatchObject({ status: 'restricted' })
    await deliver(deauthorized(account, { created: at }))
    expect(await connectionOf(program)).toMatchObject({
      status: 'disconnected',
      accountId: null,
      chargesEnabled: false,
      connectedAt: null,
    })
    expect(await deliver(paymentOf(program, account).completed())).toMatchObject({
      body: { reason: 'account_not_connected' },
    })
  })

  test('of a platform in test mode update its connections and create no money', async () => {
    const program = await givenMerchant()
    const account = unique('acct')
    await connect(program, account, { livemode: false })
    const metadata = { program_id: String(program.id) }
    await deliver(stripePayment({ metadata, account, livemode: false }).completed())
    expect(await salesOf(program)).toEqual([])
    const created = Math.floor(service.clock.now().getTime() / 1000)
    await deliver(deauthorized(account, { livemode: false, created }))
    expect(await connectionOf(program)).toMatchObject({ status: 'disconnected' })
  })
})
