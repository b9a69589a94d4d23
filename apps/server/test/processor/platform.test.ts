import { describe, expect, test } from 'bun:test'
import { makeState, readState } from '../../src/processor/oauth-state.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, type PayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { post, signatureOf, TEN_PERCENT } from './given-processor.ts'
import { startStandIn } from './stand-in.ts'
import { accountUpdated, deauthorized, stripePayment, type TestEvent } from './stripe-events.ts'

const SECRET = 'whsec_platform'
const standIn = startStandIn()
const service = await startTestService({
  stripe: {
    secretKey: 'sk_test_platform',
    clientId: 'ca_platform',
    webhookSecret: SECRET,
    apiKey: null,
    apiBase: standIn.url,
    connectBase: standIn.url,
  },
})
const bare = await startTestService()
const MINUTE_MS = 60_000

const givenMerchant = async (workspaceId?: string) => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  if (workspaceId) await service.db.updateTable('programs').set({ workspaceId }).where('id', '=', program.id).execute()
  return program
}

const begin = async (program: PayingProgram, user = program.owner) => {
  const { status, body } = await user.call('POST', `${program.api}/processor/connect`)
  expect(status).toBe(200)
  return new URL(body.data.url)
}

/** The browser comes back. A redirect is looked at, not followed. */
const comeBack = (user: { cookie: string }, query: Record<string, string>) =>
  fetch(`${service.url}/api/processor/callback?${new URLSearchParams(query)}`, {
    headers: { cookie: user.cookie },
    redirect: 'manual',
  })

const codeOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { code: string } }
  return { status: answer.status, code: error.code }
}

const connect = async (program: PayingProgram, account: string, options = {}, user = program.owner) => {
  const state = (await begin(program, user)).searchParams.get('state') ?? ''
  const code = unique('ac')
  standIn.grant(code, account, options)
  return comeBack(user, { state, code })
}

const connectionOf = async (program: PayingProgram) =>
  (await program.owner.call('GET', `${program.api}/processor`)).body.data

const deliver = async (event: TestEvent, secret = SECRET) => {
  const raw = JSON.stringify(event)
  const signature = await signatureOf(raw, { secret, at: service.clock.now() })
  return post(service, '/api/v1/processor/webhook', raw, signature)
}

const salesOf = (program: PayingProgram) =>
  service.db.selectFrom('sales').selectAll().where('programId', '=', program.id).execute()

const paymentOf = (program: PayingProgram, account: string) => {
  const metadata = { program_id: String(program.id), service_customer_key: unique('customer') }
  return stripePayment({ metadata, account })
}

describe('connecting through the platform', () => {
  test('sends the merchant to Stripe, and comes back with the account', async () => {
    const program = await givenMerchant()
    const url = await begin(program)
    expect(url.origin).toBe(standIn.url)
    expect(url.pathname).toBe('/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'ca_platform',
      response_type: 'code',
      scope: 'read_only',
      redirect_uri: 'http://localhost:3000/api/processor/callback',
    })
    const account = unique('acct')
    const answer = await connect(program, account)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(
      `http://localhost:3000/programs/${program.id}/set-up?processor=connected`,
    )
    expect(await connectionOf(program)).toMatchObject({
      status: 'connected',
      kind: 'platform',
      accountId: account,
      chargesEnabled: true,
      payoutsEnabled: true,
      detailsSubmitted: true,
    })
    const { body } = await program.owner.call('GET', `/api/tracking/status/${program.id}`)
    expect(body.data).toMatchObject({
      stepStatuses: { payments: 'complete' },
      statistics: { payments: { processorAccountId: account, chargesEnabled: true, isProcessorConnected: true } },
    })
    expect(standIn.seen.find(({ path }) => path === '/oauth/token')?.headers.get('authorization')).toBe(
      'Bearer sk_test_platform',
    )
  })

  test('an account that may not take charges is restricted', async () => {
    const program = await givenMerchant()
    await connect(program, unique('acct'), { charges: false })
    expect(await connectionOf(program)).toMatchObject({ status: 'restricted', chargesEnabled: false })
  })

  test('the state is good for one session, one program and ten minutes', async () => {
    const program = await givenMerchant()
    const state = (await begin(program)).searchParams.get('state') ?? ''
    const other = await givenUser(service)
    await givenRole(service, program.workspaceId, other, 'owner')
    standIn.grant('code-1', unique('acct'))
    const refused = async (user: { cookie: string }, given: string) => {
      const answer = await comeBack(user, { state: given, code: 'code-1' })
      expect(await codeOf(answer)).toEqual({
        status: 400,
        code: 'invalid_request',
      })
    }
    await refused(other, state)
    const [words = '', signature = ''] = state.split('.')
    const [, expiresAt, nonce] = JSON.parse(Buffer.from(words, 'base64url').toString())
    const stranger = await givenMerchant()
    const forged = Buffer.from(JSON.stringify([stranger.id, expiresAt, nonce])).toString('base64url')
    await refused(program.owner, `${forged}.${signature}`)
    for (const nonsense of ['', '.', 'a.b', words]) await refused(program.owner, nonsense)
    service.clock.advance(10 * MINUTE_MS)
    await refused(program.owner, state)
    expect(await connectionOf(program)).toMatchObject({ status: 'not_connected' })
    expect((await comeBack({ cookie: '' }, { state, code: 'code-1' })).status).toBe(401)
  })

  test('the state says nothing that it was not made for', () => {
    const key = Buffer.alloc(32, 7)
    const at = new Date()
    const state = makeState(key, { programId: 5, sessionId: 'a' }, at)
    expect(readState(key, { state, sessionId: 'a' }, at)).toBe(5)
    expect(readState(key, { state, sessionId: 'b' }, at)).toBeNull()
    expect(readState(Buffer.alloc(32, 8), { state, sessionId: 'a' }, at)).toBeNull()
    expect(readState(key, { state, sessionId: 'a' }, new Date(at.getTime() + 10 * MINUTE_MS))).toBeNull()
  })

  test('a code that was used before, and a merchant who said no, connect nothing', async () => {
    const program = await givenMerchant()
    const state = (await begin(program)).searchParams.get('state') ?? ''
    const used = await comeBack(program.owner, { state, code: 'never-granted' })
    expect(await codeOf(used)).toEqual({
      status: 400,
      code: 'invalid_request',
    })
    const denied = await comeBack(program.owner, { state, error: 'access_denied' })
    expect(denied.headers.get('location')).toEndWith(`/programs/${program.id}/set-up?processor=denied`)
    expect(await connectionOf(program)).toMatchObject({ status: 'not_connected' })
  })

  test('one account serves several programs of a workspace, and never those of another', async () => {
    const [one, stranger] = [await givenMerchant(), await givenMerchant()]
    const two = await givenMerchant(one.workspaceId)
    const account = unique('acct')
    await connect(one, account)
    await connect(two, account, {}, one.owner)
    expect((await one.owner.call('GET', `${two.api}/processor`)).body.data).toMatchObject({ status: 'connected' })
    const refused = await connect(stranger, account)
    expect(await codeOf(refused)).toEqual({
      status: 409,
      code: 'conflict',
    })
    expect(await connectionOf(stranger)).toMatchObject({ status: 'not_connected' })

    expect((await deliver(paymentOf(two, account).completed())).status).toBe(200)
    expect((await deliver(paymentOf(one, account).completed())).status).toBe(200)
    expect([await salesOf(one), await salesOf(two)].map(({ length }) => length)).toEqual([1, 1])

    await one.owner.call('DELETE', `${one.api}/processor`)
    await one.owner.call('DELETE', `${two.api}/processor`)
    expect(standIn.seen.at(-1)).toMatchObject({ path: '/oauth/deauthorize' })
    expect((await connect(stranger, account)).status).toBe(302)
  })

  test('without a platform account the call says what to set, and that there is another way', async () => {
    const program = await givenPayingProgram(bare, TEN_PERCENT)
    const answer = await program.owner.call('POST', `${program.api}/processor/connect`)
    expectRefusal(answer, 409, 'conflict')
    expect(answer.body.error.message).toContain('STRIPE_SECRET_KEY, STRIPE_CLIENT_ID, STRIPE_WEBHOOK_SECRET')
    expect(answer.body.error.message).toContain('signing secret')
    const raw = JSON.stringify(stripePayment().completed())
    const signature = await signatureOf(raw, { secret: SECRET, at: bare.clock.now() })
    expectRefusal(await post(bare, '/api/v1/processor/webhook', raw, signature), 400, 'invalid_signature')
  })

  test('a program that is connected through the platform takes no secret of its own', async () => {
    const program = await givenMerchant()
    await connect(program, unique('acct'))
    const answer = await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: 'whsec_1' })
    expectRefusal(answer, 409, 'conflict')
  })
})

describe('events of the platform', () => {
  test('are told apart by their account, and credited to that workspace alone', async () => {
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

  test('of an account that nobody has connected, or of none, are kept apart and answered 2xx with a reason', async () => {
    const program = await givenMerchant()
    const stray = paymentOf(program, unique('acct')).completed()
    const own = stripePayment().completed()
    for (const event of [stray, stray, own])
      expect(await deliver(event)).toMatchObject({
        status: 200,
        body: { success: true, received: true, reason: 'account_not_connected' },
      })
    const kept = await service.db
      .selectFrom('processorStrays')
      .selectAll()
      .where('eventId', 'in', [stray.id, own.id])
      .execute()
    expect(kept).toHaveLength(2)
    expect(Buffer.from(kept.find(({ eventId }) => eventId === stray.id)?.payload ?? []).toString()).toBe(
      JSON.stringify(stray),
    )
    expect(await salesOf(program)).toEqual([])
  })

  describe('that came before their account was connected', () => {
    const eventsOf = async (program: PayingProgram) =>
      (await program.owner.call('GET', `${program.api}/processor/events`)).body.data

    test('are credited by whoever connects it, with what was refunded of them, in any order', async () => {
      const program = await givenMerchant()
      const account = unique('acct')
      const payment = paymentOf(program, account)
      await deliver(payment.chargeRefunded(595))
      await deliver(payment.completed())
      await deliver(accountUpdated(account, { charges_enabled: false }, { account }))
      await connect(program, account)
      expect(await salesOf(program)).toMatchObject([{ amountCents: 1_000 }])
      const fates = (await eventsOf(program)).map(({ type, fate, reason }: Record<string, string>) => [
        type,
        fate,
        reason,
      ])
      expect(fates.toSorted()).toEqual([
        ['account.updated', 'ignored', 'before_connection'],
        ['charge.refunded', 'applied', 'refund_recorded'],
        ['checkout.session.completed', 'applied', 'customer_unknown'],
      ])
      // What the processor says of the account when it is asked is newer.
      expect(await connectionOf(program)).toMatchObject({ status: 'connected', chargesEnabled: true })
      expect((await deliver(payment.completed())).status).toBe(200)
      expect(await salesOf(program)).toHaveLength(1)
    })

    test('are credited once, also where the account moves to another workspace', async () => {
      const [one, other] = [await givenMerchant(), await givenMerchant()]
      const account = unique('acct')
      await deliver(paymentOf(one, account).completed())
      await connect(one, account)
      await one.owner.call('DELETE', `${one.api}/processor`)
      await connect(other, account)
      expect(await eventsOf(other)).toEqual([])
      expect(await salesOf(one)).toHaveLength(1)
    })

    test('and while it was disconnected are there once it is connected again', async () => {
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

    test('are not lost where one is delivered in the moment in which it is connected', async () => {
      const program = await givenMerchant()
      const account = unique('acct')
      const payments = Array.from({ length: 20 }, () => paymentOf(program, account))
      const delivered = payments.map(async (payment, index) => {
        await Bun.sleep(index * 10)
        return deliver(payment.completed())
      })
      await Promise.all([...delivered, connect(program, account)])
      expect(await salesOf(program)).toHaveLength(20)
    })

    test('and that this service fails at are kept for a replay, and the account is connected', async () => {
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
  })

  test('with a signature of somebody else are refused and not kept', async () => {
    const event = paymentOf(await givenMerchant(), unique('acct')).completed()
    expectRefusal(await deliver(event, 'whsec_other'), 400, 'invalid_signature')
    expect(
      await service.db.selectFrom('processorStrays').select('eventId').where('eventId', '=', event.id).execute(),
    ).toEqual([])
  })

  test('account.updated keeps the flags, and account.application.deauthorized disconnects', async () => {
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

  test('of a platform in test mode: its connections live, and make no money', async () => {
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
