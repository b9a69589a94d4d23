import { describe, expect, test } from 'bun:test'
import { openSecret, sealSecret } from '../../src/sealed-secrets.ts'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenProcessor, type ProcessorProgram, TEN_PERCENT } from './given-processor.ts'
import { accountUpdated } from './stripe-events.ts'

const service = await givenService()
const HOUR_MS = 3_600_000

const NOTHING = {
  status: 'not_connected',
  kind: null,
  accountId: null,
  chargesEnabled: false,
  payoutsEnabled: false,
  detailsSubmitted: false,
  connectedAt: null,
  secretSetAt: null,
  secretConfirmedAt: null,
  previousSecretValidUntil: null,
}

const payments = async (program: {
  status: () => Promise<{ stepStatuses: object; statistics: { payments: object } }>
}) => {
  const { stepStatuses, statistics } = await program.status()
  return { ...stepStatuses, ...statistics.payments }
}

describe('a merchant’s own account', () => {
  test('is not connected at first, pending with a secret, connected by the first correctly signed event', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { body } = await program.owner.call('GET', `${program.api}/processor`)
    expect(body.data).toEqual({
      ...NOTHING,
      webhookUrl: `http://localhost:3000/api/v1/processor/webhook/${program.id}`,
    })

    const connected = await givenProcessor(service)
    expect(await connected.connection()).toMatchObject({ status: 'pending', kind: 'own', connectedAt: null })
    expect(await payments(connected)).toMatchObject({
      payments: 'pending',
      methodReady: false,
      processorConnectionStatus: 'pending',
      isProcessorConnected: false,
      processorAccountId: null,
      connectionDate: null,
    })
    await connected.send((await connected.payment()).completed())
    expect(await payments(connected)).toMatchObject({
      payments: 'complete',
      methodReady: true,
      processorConnectionStatus: 'connected',
      isProcessorConnected: true,
      connectionDate: expect.stringMatching(/^\d{4}-.*Z$/),
      chargesEnabled: true,
      detailsSubmitted: true,
      payoutsEnabled: false,
    })
    expect(await connected.connection()).toMatchObject({ secretConfirmedAt: expect.any(String) })
  })

  test('disconnects by DELETE: events are rejected, and the status says so', async () => {
    const program = await givenProcessor(service)
    const payment = await program.payment()
    await program.send(payment.completed())
    const { body } = await program.owner.call('DELETE', `${program.api}/processor`)
    expect(body.data).toMatchObject({ ...NOTHING, status: 'disconnected', kind: 'own' })
    expectRefusal(await program.deliver(payment.chargeSucceeded()), 400, 'invalid_signature')
    expect(await payments(program)).toMatchObject({
      payments: 'pending',
      processorConnectionStatus: 'disconnected',
      isProcessorConnected: false,
      connectionDate: null,
    })
    expect((await program.owner.call('DELETE', `${program.api}/processor`)).status).toBe(200)
    await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: program.secret })
    expect(await program.connection()).toMatchObject({ status: 'pending', previousSecretValidUntil: null })
    expect(await program.sales()).toHaveLength(1)
  })

  test('account.updated updates the flags, restricts when charges are disabled, and ignores late events', async () => {
    const program = await givenProcessor(service)
    const now = Math.floor(service.clock.now().getTime() / 1000)
    const all = { charges_enabled: true, payouts_enabled: true, details_submitted: true }
    await program.send(accountUpdated('acct_own', all, { created: now }))
    expect(await payments(program)).toMatchObject({
      processorConnectionStatus: 'connected',
      processorAccountId: 'acct_own',
      chargesEnabled: true,
      payoutsEnabled: true,
      detailsSubmitted: true,
    })
    await program.send(accountUpdated('acct_own', { ...all, charges_enabled: false }, { created: now + 10 }))
    expect(await payments(program)).toMatchObject({
      payments: 'pending',
      processorConnectionStatus: 'restricted',
      isProcessorConnected: false,
      chargesEnabled: false,
      payoutsEnabled: true,
    })
    await program.send(accountUpdated('acct_own', all, { created: now + 5 }))
    expect(await program.connection()).toMatchObject({ status: 'restricted', connectedAt: expect.any(String) })
    await program.send(accountUpdated('acct_own', all, { created: now + 20 }))
    expect(await program.connection()).toMatchObject({ status: 'connected', chargesEnabled: true })
    expect((await program.events()).map(({ reason }) => reason)).toEqual(Array(4).fill('account_changed'))
  })

  test('in test mode account.updated changes nothing', async () => {
    const program = await givenProcessor(service)
    await program.send(accountUpdated('acct_own', { charges_enabled: true }, { livemode: false }))
    expect(await program.connection()).toMatchObject({ chargesEnabled: false, accountId: null, status: 'connected' })
  })
})

describe('a signing secret', () => {
  test('rotates without a gap: the old one works until the new one was seen', async () => {
    const program = await givenProcessor(service)
    const payment = await program.payment()
    await program.send(payment.completed())
    const fresh = 'whsec_thenextone'
    await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: fresh })
    expect(await program.connection()).toMatchObject({
      status: 'connected',
      secretConfirmedAt: null,
      previousSecretValidUntil: expect.any(String),
    })
    await program.send(payment.chargeSucceeded())
    expect((await program.deliver(payment.intentSucceeded(), { secret: fresh })).status).toBe(200)
    expect(await program.connection()).toMatchObject({
      secretConfirmedAt: expect.any(String),
      previousSecretValidUntil: null,
    })
    expectRefusal(await program.deliver(payment.chargeRefunded(5)), 400, 'invalid_signature')
  })

  test('… or for a day', async () => {
    const program = await givenProcessor(service)
    await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: 'whsec_thenextone' })
    const payment = await program.payment()
    service.clock.advance(23 * HOUR_MS)
    await program.send(payment.chargeSucceeded())
    service.clock.advance(1 * HOUR_MS)
    expectRefusal(await program.deliver(payment.completed()), 400, 'invalid_signature')
  })

  test('sent twice is the same secret, not a rotation', async () => {
    const program = await givenProcessor(service)
    await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: program.secret })
    expect(await program.connection()).toMatchObject({ previousSecretValidUntil: null })
  })

  test('of another account starts over', async () => {
    const program = await givenProcessor(service)
    const put = (accountId: string) =>
      program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: program.secret, accountId })
    await put('acct_1')
    await program.send((await program.payment()).completed())
    await put('acct_2')
    expect(await program.connection()).toMatchObject({ status: 'pending', accountId: 'acct_2', connectedAt: null })
  })

  test('is in no response, no list and no row', async () => {
    const program = await givenProcessor(service)
    await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: `${program.secret}2` })
    const row = await service.db
      .selectFrom('processorConnections')
      .selectAll()
      .where('programId', '=', program.id)
      .executeTakeFirstOrThrow()
    for (const sealed of [row.secret, row.previousSecret])
      expect(Buffer.from(sealed ?? []).toString('latin1')).not.toContain(program.secret.slice(6))
    const answers = [await program.connection(), (await program.owner.call('GET', `${program.api}/audit`)).body]
    expect(JSON.stringify(answers)).not.toContain(program.secret.slice(6))
    expect(JSON.stringify(answers)).toContain('processor connected')
  })

  test('can be decrypted with its key and for its program only', () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const sealed = sealSecret(key, { programId: 1, secret: 'whsec_1' })
    expect(openSecret(key, { programId: 1, sealed })).toBe('whsec_1')
    expect(openSecret(key, { programId: 2, sealed })).toBeNull()
    expect(openSecret(other, { programId: 1, sealed })).toBeNull()
    expect(openSecret(key, { programId: 1, sealed: sealed.subarray(0, -1) })).toBeNull()
    expect(openSecret(key, { programId: 1, sealed: Buffer.alloc(0) })).toBeNull()
  })

  test.each([
    {},
    { webhookSecret: 5 },
    { webhookSecret: 'sk_live_1' },
    { webhookSecret: 'whsec_a b' },
    { webhookSecret: 'whsec_1', accountId: 'x' },
    { webhookSecret: 'whsec_1', extra: 1 },
  ])('that is %j is rejected', async (request) => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const answer = await program.owner.call('PUT', `${program.api}/processor`, request)
    expectRefusal(answer, 400, 'invalid_request')
  })
})

test('connecting a program needs permission to change it, and a viewer may look', async () => {
  const program = await givenProcessor(service)
  const viewer = await givenUser(service)
  await givenRole(service, program.workspaceId, viewer, 'viewer')
  const path = `${program.api}/processor`
  for (const [method, end, body] of [
    ['PUT', '', { webhookSecret: 'whsec_1' }],
    ['DELETE', '', undefined],
    ['POST', '/connect', {}],
    ['POST', '/replay', { since: '2026-01-01' }],
  ] as const)
    expectRefusal(await viewer.call(method, path + end, body), 403, 'forbidden')
  expect((await viewer.call('GET', path)).status).toBe(200)
  expect((await viewer.call('GET', `${path}/events`)).status).toBe(200)
})

/** Two programs of one workspace, each with its own endpoint. */
const givenTwoEndpoints = async () => {
  const one = await givenProcessor(service)
  const two = await givenProcessor(service)
  await service.db.deleteFrom('processorHomePrograms').where('programId', '=', two.id).execute()
  await service.db.updateTable('programs').set({ workspaceId: one.workspaceId }).where('id', '=', two.id).execute()
  await givenRole(service, one.workspaceId, two.owner, 'owner')
  return { one, two }
}

test('two endpoints of one account in one workspace: every event counts once, whichever receives it', async () => {
  const { one, two } = await givenTwoEndpoints()
  const payment = await one.payment()
  const [completed, refunded] = [
    payment.completed(),
    payment.refund('refund.created', 're_1', { amount: 119, status: 'succeeded' }),
  ]
  const charge = payment.chargeSucceeded()
  // One receives the payment first, the other the refund.
  await one.send(completed, charge)
  await two.send(refunded)
  expect(await one.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 10 }])
  await two.send(completed)
  await one.send(refunded)
  expect(await one.sales()).toHaveLength(1)
  expect(await two.sales()).toHaveLength(0)
  expect(await one.commissions()).toMatchObject([{ amountCents: 100, reversedCents: 10 }])
  expect(await one.connection()).toMatchObject({ status: 'connected' })
})

describe('an event that arrives at two endpoints of one workspace', () => {
  const of = async (program: ProcessorProgram, accountId: string) => {
    const put = { webhookSecret: program.secret, accountId }
    expect((await program.owner.call('PUT', `${program.api}/processor`, put)).status).toBe(200)
  }

  test('the first of another account: the second applies it, once', async () => {
    const { one, two } = await givenTwoEndpoints()
    await of(one, 'acct_one')
    await of(two, 'acct_two')
    const completed = (await two.payment({ account: 'acct_two' })).completed()
    await one.send(completed)
    expect(await one.event(completed.id)).toMatchObject({ fate: 'refused', reason: 'foreign_account' })
    expect((await one.deliver(completed)).body).toMatchObject({ duplicate: true })
    await two.send(completed)
    expect(await one.event(completed.id)).toMatchObject({ fate: 'applied', reason: 'payment_recorded' })
    for (const again of [one, two]) expect((await again.deliver(completed)).body).toMatchObject({ duplicate: true })
    expect(await two.sales()).toHaveLength(1)
    expect(await two.commissions()).toMatchObject([{ amountCents: 100 }])
  })

  test('about a payment shows both that their account takes charges', async () => {
    const { one, two } = await givenTwoEndpoints()
    const completed = (await one.payment()).completed()
    for (const program of [one, two]) await program.send(completed)
    for (const program of [one, two]) expect(await program.connection()).toMatchObject({ chargesEnabled: true })
  })

  test('about the account updates both', async () => {
    const { one, two } = await givenTwoEndpoints()
    const accountEvent = (enabled: boolean) =>
      accountUpdated('acct_both', { charges_enabled: enabled, payouts_enabled: enabled, details_submitted: true })
    const [closed, open] = [accountEvent(false), { ...accountEvent(true), created: accountEvent(true).created + 1 }]
    await one.send(closed)
    await two.send(closed)
    for (const program of [one, two]) expect(await program.connection()).toMatchObject({ status: 'restricted' })
    await two.send(open)
    await one.send(open)
    // A repeated old event does not undo it.
    for (const program of [one, two]) await program.send(closed)
    for (const program of [one, two])
      expect(await program.connection()).toMatchObject({ status: 'connected', chargesEnabled: true })
  })
})
