import { describe, expect, test } from 'bun:test'
import { commissionTotal } from '@tributary/contract'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { lead: { amountCents: 100 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const ONE_HELD = {
  state: 'held',
  count: 1,
  freeCount: 1,
  reversedCents: 0,
  inPayoutCents: 0,
  inPayoutCount: 0,
  disputedCents: 0,
  disputedCount: 0,
}

test('totals by state and currency, filters, and every list as CSV', async () => {
  const program = await givenPayingProgram(service, { ...REWARD, holdDays: 10 })
  const customer_key = await program.customer()
  await program.sale({ customer_key, amount: 5_000, invoice_id: 'in-1', currency: 'EUR' })
  const totals = (await program.owner.call('GET', `${program.api}/commissions/totals`)).body.data
  expect(totals.map((row: unknown) => commissionTotal.parse(row))).toEqual([
    { ...ONE_HELD, currency: 'EUR', amountCents: 500 },
    { ...ONE_HELD, currency: 'USD', amountCents: 100 },
  ])
  expect((await program.owner.call('GET', `${program.api}/commissions?state=payable`)).body.data).toEqual([])
  expect(
    (await program.owner.call('GET', `${program.api}/commissions?partnerId=${program.link.partnerId}`)).body.data,
  ).toHaveLength(2)
  expectRefusal(await program.owner.call('GET', `${program.api}/commissions?state=lost`), 400, 'invalid_request')
  for (const [list, lines] of [
    ['commissions', 4],
    ['balances', 4],
    [`partners/${program.link.partnerId}/ledger`, 4],
    ['audit', 3],
    ['payouts', 2],
  ]) {
    const response = await fetch(`${service.url}${program.api}/${list}?format=csv`, {
      headers: { cookie: program.owner.cookie },
    })
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect((await response.text()).split('\r\n')).toHaveLength(Number(lines))
  }
})

test('the audit log records who changed a partner or the program', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { email: 'new@example.com' })
  await program.owner.call('PATCH', program.api, { timezone: 'Asia/Tokyo' })
  const { data } = (await program.owner.call('GET', `${program.api}/audit`)).body
  expect(data).toMatchObject([
    { action: 'program changed', before: { timezone: 'UTC' }, after: { timezone: 'Asia/Tokyo' } },
    { action: 'partner changed', before: { email: null }, after: { email: 'new@example.com' } },
    { action: 'reward terms changed', before: { version: null }, after: { version: 1, lead: { amountCents: 100 } } },
  ])
})

test('payouts and commissions of another workspace’s program are not accessible', async () => {
  const [mine, theirs] = [await givenPayingProgram(service, REWARD), await givenPayingProgram(service, REWARD)]
  await theirs.customer()
  const batch = await theirs.pay()
  const line = `${mine.api}/payouts/${batch.id}/lines/${batch.lines[0].id}`
  expectRefusal(await mine.owner.call('POST', line, { status: 'paid' }), 404, 'not_found')
  expectRefusal(await mine.owner.call('GET', `${mine.api}/payouts/${batch.id}`), 404, 'not_found')
  expectRefusal(
    await mine.owner.call('POST', `${theirs.api}/payouts/${batch.id}/lines/${batch.lines[0].id}`, { status: 'paid' }),
    403,
    'forbidden',
  )
  const [commission] = await theirs.commissions()
  expectRefusal(
    await mine.owner.call('POST', `${mine.api}/commissions/${commission.id}/review`, {
      decision: 'rejected',
      reason: 'x',
    }),
    404,
    'not_found',
  )
  expect(await theirs.balance()).toMatchObject({ batchedCents: 100, paidCents: 0 })
})

describe('permissions', () => {
  test('every role sees money; owner, admin and billing change it', async () => {
    const program = await givenPayingProgram(service, REWARD)
    for (const [role, mayManage] of [
      ['admin', true],
      ['billing', true],
      ['member', false],
      ['viewer', false],
    ] as const) {
      const user = await givenUser(service)
      await givenRole(service, program.workspaceId, user, role)
      expect((await user.call('GET', `${program.api}/balances`)).status).toBe(200)
      expect((await user.call('GET', `${program.api}/commissions`)).status).toBe(200)
      const change = await user.call('PUT', `${program.api}/reward`, { ...REWARD, holdDays: unique('x').length % 30 })
      if (mayManage) expect(change.status).toBe(200)
      else expectRefusal(change, 403, 'forbidden')
    }
  })

  test('a role that sees money without tracking still sees the partner’s name on every row', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await givenSale(program, 1_000)
    const user = await givenUser(service)
    await givenRole(service, program.workspaceId, user, 'billing')
    const data = async (method: string, path: string, body?: object) =>
      (await user.call(method, `${program.api}${path}`, body)).body.data
    const named = { partnerId: program.link.partnerId, partnerName: 'Partner' }
    expect(await data('GET', '/commissions')).toMatchObject([named, named])
    expect(await data('GET', '/balances')).toMatchObject([named])
    expect(await data('GET', '/payouts/preview')).toMatchObject([named])
    const { id, lines } = await data('POST', '/payouts')
    expect(lines).toMatchObject([named])
    expect((await data('GET', `/payouts/${id}`)).lines).toMatchObject([named])
    expect(await data('POST', `/payouts/${id}/lines/${lines[0].id}`, { status: 'paid' })).toMatchObject(named)
  })
})
