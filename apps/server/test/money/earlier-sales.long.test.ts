import { describe, expect, test } from 'bun:test'
import { earlierEvents } from '@tributary/contract'
import { findOpenBackfills } from '../../src/money/rewards/reward-backfills.ts'
import { verifyPayments } from '../../src/tracking/payments/verify-payments.ts'
import { runBackfill } from '../../src/tracking/sales/backfill-reward.ts'
import { expectRefusal, givenClick, givenLink, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale, type PayingProgram } from '../support/money.ts'
import { recordDispute } from '../support/record-dispute.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const FIVE_A_LEAD = { lead: { amountCents: 500 }, holdDays: 0 }
const DAY_MS = 86_400_000

const givenProgramWithoutTerms = (settings = {}) => givenPayingProgram(service, null, settings)
const byCurrency = (one: { currency: string; amountCents: number }) => [one.currency, one.amountCents]
const apply = ({ owner, api }: PayingProgram, reward: object) =>
  owner.call('PUT', `${api}/reward`, { ...reward, applyToEarlier: true })
const earlier = async ({ owner, api }: PayingProgram) =>
  earlierEvents.parse((await owner.call('GET', `${api}/reward/earlier`)).body.data)
const verified = async ({ id }: PayingProgram) =>
  (await verifyProgram(service.db, { programId: id, sealedBefore: null, furtherChecks: [verifyPayments] })).differences

describe('the first terms of a program', () => {
  test('apply from now on unless requested otherwise', async () => {
    const program = await givenProgramWithoutTerms()
    await givenSale(program, 1_000)
    const { status, body } = await program.owner.call('PUT', `${program.api}/reward`, TEN_PERCENT)
    expect(status).toBe(200)
    expect(body.data.earlier).toBeUndefined()
    expect(await program.commissions()).toEqual([])
  })

  test('can be applied to earlier leads and sales', async () => {
    const program = await givenProgramWithoutTerms()
    await givenSale(program, 1_000)
    await givenSale(program, 2_000, { currency: 'EUR' })
    service.clock.advance(40 * DAY_MS)
    await givenSale(program, 3_000)
    expect(await earlier(program)).toMatchObject({ canApply: true, leads: 3, sales: 3, applied: null })
    expect((await earlier(program)).revenue.toSorted((a, b) => a.amountCents - b.amountCents)).toEqual([
      { currency: 'EUR', amountCents: 2_000 },
      { currency: 'USD', amountCents: 4_000 },
    ])

    const { status, body } = await apply(program, { ...TEN_PERCENT, ...FIVE_A_LEAD, holdDays: 30 })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      version: 1,
      earlier: { leads: 3, sales: 3, finished: true },
    })
    expect(Object.fromEntries(body.data.earlier.amounts.map(byCurrency))).toEqual({
      USD: 1_900,
      EUR: 200,
    })
    // The hold period starts at each event, as it would have.
    const commissions = await program.commissions()
    expect(commissions.filter((row: { state: string }) => row.state === 'payable')).toHaveLength(4)
    expect(commissions).toHaveLength(6)
    expect(await earlier(program)).toMatchObject({
      canApply: false,
      leads: 0,
      sales: 0,
      applied: { leads: 3, sales: 3, finished: true, termsVersion: 1 },
    })
    expect(await verified(program)).toEqual([])
  })

  test('are applied once: repeating the request changes nothing', async () => {
    const program = await givenProgramWithoutTerms()
    await givenSale(program, 1_000)
    const first = await apply(program, TEN_PERCENT)
    const again = await Promise.all([apply(program, TEN_PERCENT), apply(program, TEN_PERCENT)])
    for (const { status, body } of again) {
      expect(status).toBe(200)
      expect(body.data).toEqual(first.body.data)
    }
    expect(await program.commissions()).toHaveLength(1)
    expect((await program.balance()).payableCents).toBe(100)
    expect(await verified(program)).toEqual([])
  })

  test('requested twice concurrently are one version and one commission per sale', async () => {
    const program = await givenProgramWithoutTerms()
    for (const amount of [1_000, 2_000, 3_000]) await givenSale(program, amount)
    const answers = await Promise.all([apply(program, TEN_PERCENT), apply(program, TEN_PERCENT)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.data.version)).toEqual([1, 1])
    expect((await program.balance()).payableCents).toBe(600)
    expect(await verified(program)).toEqual([])
  })

  test('are completed by the next run if one was interrupted', async () => {
    const program = await givenProgramWithoutTerms()
    for (const amount of [1_000, 2_000, 3_000]) await givenSale(program, amount)
    // The service stopped before the first customer: saved, but not applied.
    await service.pool.query(
      `INSERT INTO reward_terms (program_id, version, currency, sale_percent_bps, sale_duration, hold_days, valid_from)
        SELECT id, 1, 'USD', 1000, 'lifetime', 0, created_at FROM programs WHERE id = $1`,
      [program.id],
    )
    const { userId } = await service.db
      .selectFrom('members')
      .select('userId')
      .where('organizationId', '=', program.workspaceId)
      .executeTakeFirstOrThrow()
    await service.db
      .insertInto('rewardBackfills')
      .values({ programId: program.id, termsVersion: 1, requestedBy: userId, requestedAt: service.clock.now() })
      .execute()
    const deps = { db: service.db, clock: service.clock.now, hashKey: 'test' }
    const stopped = await runBackfill(deps, { programId: program.id, maxCustomers: 1 })
    expect(stopped).toMatchObject({ sales: 1, finishedAt: null })
    expect(await findOpenBackfills(service.db)).toContain(program.id)
    expect((await earlier(program)).applied).toMatchObject({ sales: 1, finished: false })

    const { status, body } = await apply(program, TEN_PERCENT)
    expect(status).toBe(200)
    expect(body.data.earlier).toEqual({
      leads: 0,
      sales: 3,
      amounts: [{ currency: 'USD', amountCents: 600 }],
      finished: true,
    })
    expect(await findOpenBackfills(service.db)).not.toContain(program.id)
    expect((await program.balance()).payableCents).toBe(600)
    expect(await verified(program)).toEqual([])
  })

  test('deduct later refunds and hold disputed sales', async () => {
    const program = await givenProgramWithoutTerms()
    const refunded = await givenSale(program, 1_000)
    await program.refund({ invoice_id: refunded.invoice_id, amount: 400 })
    const gone = await givenSale(program, 1_000)
    await program.refund({ invoice_id: gone.invoice_id })
    const disputed = await givenSale(program, 1_000)
    await recordDispute(
      { db: service.db, clock: service.clock.now },
      { programId: program.id, invoiceId: disputed.invoice_id, disputeId: 'dp_1', status: 'open' },
    )
    const { body } = await apply(program, TEN_PERCENT)
    expect(body.data.earlier).toMatchObject({ sales: 3, amounts: [{ currency: 'USD', amountCents: 160 }] })
    expect((await program.balance()).payableCents).toBe(60)
    expect(await verified(program)).toEqual([])
  })

  test('pay for the first sale of each customer if that is what they say', async () => {
    const program = await givenProgramWithoutTerms()
    const { customer_key } = await givenSale(program, 1_000)
    service.clock.advance(DAY_MS)
    await program.sale({ customer_key, amount: 5_000, invoice_id: `second of ${customer_key}` })
    const { body } = await apply(program, { sale: { percentBps: 1_000, duration: 'first' }, holdDays: 0 })
    expect(body.data.earlier).toMatchObject({ sales: 1, amounts: [{ currency: 'USD', amountCents: 100 }] })
    // The next sale of the same customer is not the first either.
    await program.sale({ customer_key, amount: 5_000, invoice_id: `third of ${customer_key}` })
    expect((await program.balance()).payableCents).toBe(100)
    expect(await verified(program)).toEqual([])
  })

  test('do not apply to partners with custom terms', async () => {
    const program = await givenProgramWithoutTerms()
    const own = `${program.api}/partners/${program.link.partnerId}/reward`
    await givenSale(program, 1_000)
    service.clock.advance(DAY_MS)
    await program.owner.call('PUT', own, { lead: { amountCents: 700 }, holdDays: 0 })
    service.clock.advance(DAY_MS)
    await givenSale(program, 1_000)
    expect(await earlier(program)).toMatchObject({ canApply: true, leads: 1, sales: 1 })
    const { body } = await apply(program, TEN_PERCENT)
    expect(body.data.earlier).toMatchObject({ leads: 0, sales: 1 })
    expect((await program.balance()).payableCents).toBe(800)
    expect(await verified(program)).toEqual([])
  })

  test('pay nothing for the lead of an erased customer who earned it before', async () => {
    const program = await givenProgramWithoutTerms()
    const own = `${program.api}/partners/${program.link.partnerId}/reward`
    await program.owner.call('PUT', own, { lead: { amountCents: 700 }, holdDays: 0 })
    const customerKey = await program.customer()
    await program.owner.call('POST', `${program.api}/customers/erase`, { customerKey })
    const rival = await givenLink(service, program.id)
    service.clock.advance(DAY_MS)
    await program.lead({ customer_key: customerKey, click_id: await givenClick(service, rival) })
    expect(await earlier(program)).toMatchObject({ canApply: true, leads: 0 })
    const { body } = await apply(program, FIVE_A_LEAD)
    expect(body.data.earlier).toMatchObject({ leads: 0, amounts: [] })
    expect(await program.commissions()).toMatchObject([{ partnerId: program.link.partnerId, amountCents: 700 }])
    expect(await verified(program)).toEqual([])
  })

  test('send commissions to review by the same rules', async () => {
    const program = await givenProgramWithoutTerms()
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, {})
    await service.pool.query('UPDATE partners SET email = $1 WHERE program_id = $2', ['maya@example.com', program.id])
    const click_id = await givenClick(service, program.link)
    await program.lead({ customer_key: 'self', click_id, email: 'maya@example.com' })
    await program.sale({ customer_key: 'self', amount: 1_000, invoice_id: 'self-1' })
    await apply(program, TEN_PERCENT)
    expect(await program.commissions()).toMatchObject([{ state: 'review', amountCents: 100 }])
  })

  test('apply to a sale that is credited only later', async () => {
    const program = await givenProgramWithoutTerms()
    const click_id = await givenClick(service, program.link)
    service.clock.advance(DAY_MS)
    await program.sale({ customer_key: 'late', amount: 1_000, invoice_id: 'late-1' })
    expect((await apply(program, TEN_PERCENT)).body.data.earlier).toMatchObject({ sales: 0 })
    await program.lead({ customer_key: 'late', click_id })
    expect((await program.balance()).payableCents).toBe(100)
    expect(await verified(program)).toEqual([])
  })

  test('are the only ones: later terms are rejected, and nothing is saved', async () => {
    const program = await givenProgramWithoutTerms()
    await program.owner.call('PUT', `${program.api}/reward`, TEN_PERCENT)
    const refused = await apply(program, { sale: { percentBps: 2_000, duration: 'lifetime' }, holdDays: 0 })
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body.error.field).toBe('applyToEarlier')
    // Also the same terms, if they were saved without it.
    expectRefusal(await apply(program, TEN_PERCENT), 409, 'conflict')
    const own = `${program.api}/partners/${program.link.partnerId}/reward`
    expectRefusal(await program.owner.call('PUT', own, { ...TEN_PERCENT, applyToEarlier: true }), 409, 'conflict')
    const { body } = await program.owner.call('GET', `${program.api}/reward`)
    expect(body.data).toMatchObject({ version: 1, sale: { percentBps: 1_000 } })
  })

  test('need permission to change rewards', async () => {
    const program = await givenProgramWithoutTerms()
    const member = await givenUser(service)
    await givenRole(service, program.workspaceId, member, 'member')
    const body = { ...TEN_PERCENT, applyToEarlier: true }
    expectRefusal(await member.call('PUT', `${program.api}/reward`, body), 403, 'forbidden')
  })

  test('are in the audit log and in the explanation, with the member who applied them', async () => {
    const program = await givenProgramWithoutTerms()
    const { sale_id } = await givenSale(program, 1_000)
    service.clock.advance(DAY_MS)
    const before = (await program.owner.call('GET', `${program.api}/sales/${sale_id}`)).body.data
    expect(before).toMatchObject({ noCommissionReason: 'no_terms', commissionCents: null })
    await apply(program, TEN_PERCENT)

    const { data: audit } = (await program.owner.call('GET', `${program.api}/audit`)).body
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'reward terms applied to earlier events',
      'reward terms changed',
    ])
    expect(audit[0].after).toEqual({ leads: 0, sales: 1, amounts: [{ currency: 'USD', amountCents: 100 }] })

    const explained = (await program.owner.call('GET', `${program.api}/sales/${sale_id}/explain`)).body.data
    const text = explained.sentences.join('\n')
    expect(text).toContain('The sale earned no commission')
    expect(text).toContain('The sale earned a commission of $1.00')
    expect(text).toMatch(/These terms were set on .* by Sam Reed and applied to earlier events/)
    const after = (await program.owner.call('GET', `${program.api}/sales/${sale_id}`)).body.data
    expect(after).toMatchObject({ noCommissionReason: null, commissionCents: 100 })
  })
})
