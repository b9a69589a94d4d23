import { describe, expect, test } from 'bun:test'
import { type Waiting, waiting } from '@tributary/contract'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenDraft, givenPayingProgram, givenRole, givenSale, type PayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const NOTHING: Waiting = {
  applications: 0,
  reviews: { count: 0, isMore: false },
  payouts: { draft: false, open: 0 },
  webhooks: 0,
  processors: 0,
}

const waitingIn = async ({ api, owner }: PayingProgram, reader = owner) => {
  const { status, body } = await reader.call('GET', `${api}/waiting`)
  expect(status).toBe(200)
  return waiting.parse(body.data)
}

describe('what waits for a person', () => {
  test('is nothing at first', async () => {
    expect(await waitingIn(await givenPayingProgram(service, REWARD))).toEqual(NOTHING)
  })

  test('are applications, until each is decided or archived', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const apply = async (name: string) => {
      const { body } = await program.owner.call('POST', `${program.api}/partners`, { name, status: 'pending' })
      return `${program.api}/partners/${body.data.id}`
    }
    const [approved, archived] = [await apply('Ada'), await apply('Ben')]
    expect(await waitingIn(program)).toEqual({ ...NOTHING, applications: 2 })
    await program.owner.call('PATCH', approved, { status: 'approved' })
    expect(await waitingIn(program)).toEqual({ ...NOTHING, applications: 1 })
    await program.owner.call('PATCH', archived, { archived: true })
    expect(await waitingIn(program)).toEqual(NOTHING)
  })

  test('are commissions in review', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const customer_key = await program.customer()
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { status: 'suspended' })
    await program.sale({ customer_key, amount: 1_000, invoice_id: 'in-1' })
    expect(await waitingIn(program)).toEqual({ ...NOTHING, reviews: { count: 1, isMore: false } })
  })

  test('are payouts that are not paid yet, and a draft', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await givenSale(program, 10_000)
    const payout = await program.pay()
    expect(await waitingIn(program)).toEqual({ ...NOTHING, payouts: { draft: false, open: 1 } })
    await program.decide(payout.id, payout.lines[0].id, { status: 'paid' })
    expect(await waitingIn(program)).toEqual(NOTHING)
    await givenSale(program, 20_000)
    await givenDraft(service, program)
    expect(await waitingIn(program)).toEqual({ ...NOTHING, payouts: { draft: true, open: 0 } })
  })

  test('are webhook endpoints that have failed for days or were disabled for it, but not what a member disabled', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const { body } = await program.owner.call('POST', `${program.api}/webhook-endpoints`, {
      events: ['*'],
      url: 'https://hooks.example/one',
    })
    const set = (state: { enabled: boolean; disabledReason: string | null; failingSince: Date | null }) =>
      service.db
        .updateTable('webhookEndpoints')
        .set({ ...state, disabledAt: state.enabled ? null : service.clock.now() })
        .where('id', '=', body.data.id)
        .where('programId', '=', program.id)
        .execute()
    const ago = (days: number) => new Date(service.clock.now().getTime() - days * DAY_MS)
    await set({ enabled: true, disabledReason: null, failingSince: ago(0.1) })
    expect(await waitingIn(program)).toEqual(NOTHING)
    await set({ enabled: true, disabledReason: null, failingSince: ago(20) })
    expect(await waitingIn(program)).toEqual({ ...NOTHING, webhooks: 1 })
    await set({ enabled: false, disabledReason: 'gone', failingSince: ago(20) })
    expect(await waitingIn(program)).toEqual({ ...NOTHING, webhooks: 1 })
    await set({ enabled: false, disabledReason: 'member', failingSince: ago(20) })
    expect(await waitingIn(program)).toEqual(NOTHING)
  })

  test('is a processor that lost its connection, if it reports the sales', async () => {
    const program = await givenPayingProgram(service, REWARD, { paymentTrackingMode: 'processor_connect' })
    await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: 'whsec_abcdefgh12345678' })
    expect(await waitingIn(program)).toEqual(NOTHING)
    await program.owner.call('DELETE', `${program.api}/processor`)
    expect(await waitingIn(program)).toEqual({ ...NOTHING, processors: 1 })
    await program.owner.call('PATCH', program.api, { paymentTrackingMode: 's2s' })
    expect(await waitingIn(program)).toEqual(NOTHING)
  })
})

test('each role sees what it may decide, and no one else anything', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const read = async (role: string) => {
    const user = await givenUser(service)
    await givenRole(service, program.workspaceId, user, role)
    return waitingIn(program, user)
  }
  const none = { applications: null, reviews: null, payouts: null, webhooks: null, processors: null }
  const { applications, reviews, payouts } = NOTHING
  expect(await read('admin')).toEqual(NOTHING)
  expect(await read('member')).toEqual({ ...none, applications })
  expect(await read('billing')).toEqual({ ...none, reviews, payouts })
  expect(await read('viewer')).toEqual(none)
  expectRefusal(await (await givenUser(service)).call('GET', `${program.api}/waiting`), 403, 'forbidden')
  expectRefusal(await service.call('GET', `${program.api}/waiting`), 401, 'unauthenticated')
})
