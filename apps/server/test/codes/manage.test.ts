import { describe, expect, test } from 'bun:test'
import { portalCode } from '@tributary/contract/programs/codes'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenRole } from '../support/money.ts'
import { everythingOf } from '../support/records.ts'
import { givenService } from '../support/shared-service.ts'
import { givenCodes } from './given-codes.ts'

const service = await givenService()
const portal = givenPortal(service)
const given = () => givenCodes(service)
const customer = () => unique('customer')

describe('a promotion code', () => {
  test.each([
    ['of 65 characters', 'x'.repeat(65), 'code must be at most 64 characters.'],
    ['with spaces', 'SAM 20', 'code must consist of letters without accents, digits and punctuation, without spaces.'],
    ['with an emoji', 'SAM😀', 'code must consist of letters without accents, digits and punctuation, without spaces.'],
    ['that is empty', '', 'code must not be empty.'],
  ])('%s is refused in one sentence, and nothing is saved', async (_, code, message) => {
    const program = await given()
    const before = await everythingOf(service)
    const refused = await program.assign({ code })
    expectRefusal(refused, 400, 'invalid_request')
    expect(refused.body.error).toMatchObject({ field: 'code', message })
    expect(await everythingOf(service)).toEqual(before)
  })

  test('of another partner is refused in any letter case, until it is disabled', async () => {
    const program = await given()
    const { id } = await program.assigned({ code: 'SAM20' })
    const partnerId = await program.otherPartner()
    const refused = await program.assign({ code: 'sam20', partnerId })
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body.error.field).toBe('code')
    await program.changed(id, { active: false })
    const again = await program.assigned({ code: 'sam20', partnerId })
    expect(again).toMatchObject({ partnerId, active: true })
    expectRefusal(await program.change(id, { active: true }), 409, 'conflict')
  })

  test('assigned several times at once goes to one partner', async () => {
    const program = await given()
    const answers = await Promise.all([1, 2, 3, 4].map(() => program.assign({ code: 'SAM20' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })

  test('needs a partner of the program, and half of an external ID is refused', async () => {
    const [program, elsewhere] = [await given(), await given()]
    expectRefusal(await program.assign({ code: 'SAM20', partnerId: elsewhere.partnerId }), 400, 'invalid_request')
    expectRefusal(await program.assign({ code: 'SAM20', processor: 'stripe' }), 400, 'invalid_request')
    const { id } = await elsewhere.assigned({ code: 'SAM20' })
    expectRefusal(await program.change(id, { active: false }), 404, 'not_found')
    const mine = await program.assigned({ code: 'SAM20' })
    expectRefusal(await program.change(mine.id, { partnerId: elsewhere.partnerId }), 400, 'invalid_request')
  })

  test('is announced and audited', async () => {
    const program = await given()
    const { id } = await program.assigned({ code: 'SAM20' })
    const partnerId = await program.otherPartner()
    await program.changed(id, { partnerId })
    await program.changed(id, { active: false })
    const { rows } = await service.pool.query(
      `SELECT type, data->>'partnerId' AS partner, changes FROM outbox_events WHERE program_id = $1 AND type LIKE 'code.%' ORDER BY id`,
      [program.id],
    )
    expect(rows).toMatchObject([
      { type: 'code.created', partner: String(program.partnerId) },
      { type: 'code.updated', changes: { partnerId: [program.partnerId, partnerId] } },
      { type: 'code.updated', changes: { active: [true, false] } },
    ])
    const entries = (await program.owner.call('GET', `${program.api}/audit`)).body.data
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'code changed', subjectName: 'SAM20', after: { active: false } },
      { action: 'code changed', after: { partnerId } },
      { action: 'code assigned', after: { code: 'SAM20', partnerId: program.partnerId } },
    ])
  })

  test('can be listed, filtered, searched and exported', async () => {
    const program = await given()
    const first = await program.assigned({ code: 'ALPHA' })
    const second = await program.assigned({ code: 'BETA' })
    await program.changed(second.id, { active: false })
    await program.sell({ customer_key: customer(), promotion_code: 'ALPHA' })
    const list = async (query: string) =>
      (await program.owner.call('GET', `${program.api}/codes?${query}`)).body.data.map(
        ({ code }: { code: string }) => code,
      )
    expect(await list('')).toEqual(['BETA', 'ALPHA'])
    expect(await list('sort=-uses')).toEqual(['ALPHA', 'BETA'])
    expect(await list('state=active')).toEqual(['ALPHA'])
    expect(await list('state=disabled')).toEqual(['BETA'])
    expect(await list('search=lph')).toEqual(['ALPHA'])
    expect(await list(`partnerId=${program.partnerId}`)).toHaveLength(2)
    const found = (await program.owner.call('GET', `${program.api}/search?q=alph`)).body.data
    expect(found).toContainEqual({ kind: 'code', id: String(first.id), title: 'ALPHA', detail: expect.any(String) })
    const file = await fetch(`${service.url}${program.api}/export/codes.csv`, {
      headers: { cookie: program.owner.cookie },
    })
    expect(await file.text()).toContain(',100.00 USD,15.00 USD'.replace('15.00', '10.00'))
    const partners = (await program.owner.call('GET', `${program.api}/partners`)).body.data
    expect(partners.find(({ id }: { id: number }) => id === program.partnerId)).toMatchObject({
      sales: 1,
      revenue: [{ amountCents: 10_000 }],
      commissions: [{ amountCents: 1_000 }],
    })
  })

  test('cannot be assigned by viewers, and applying it to earlier payments needs payout:manage', async () => {
    const program = await given()
    for (const [role, statuses] of [
      ['viewer', [403, 403]],
      ['member', [201, 403]],
    ] as const) {
      const user = await givenUser(service)
      await givenRole(service, program.workspaceId, user, role)
      const body = { code: unique('C').slice(0, 30), partnerId: program.partnerId }
      const plain = await user.call('POST', `${program.api}/codes`, body)
      const earlier = await user.call('POST', `${program.api}/codes`, {
        ...body,
        code: unique('D'),
        applyToEarlier: true,
      })
      expect([plain.status, earlier.status]).toEqual([...statuses])
    }
  })
})

describe('earlier payments', () => {
  test('with a code are credited with applyToEarlier only, oldest first, and bind their customers', async () => {
    const program = await given()
    const [first, second] = [customer(), customer()]
    await program.sell({ customer_key: first, promotion_code: 'sam20' })
    await program.sell({ customer_key: second, promotion_code: 'SAM20' })
    await program.sell({ customer_key: first })
    await program.assigned({ code: 'OTHER' })
    const { id } = await program.assigned({ code: 'SAM20' })
    expect(await program.commissions()).toEqual([])
    // Without it, a customer who used the code earlier is credited once they use it again.
    expect(await program.sell({ customer_key: first })).toMatchObject({ attributed: false })
    const changed = await program.changed(id, { applyToEarlier: true })
    expect(changed).toMatchObject({ uses: 2, earlier: { total: 2, done: 2, finishedAt: expect.any(String) } })
    const sources = (await program.sales()).map(({ creditedBy }: { creditedBy: string }) => creditedBy)
    expect(sources).toEqual(['code', 'code', 'code', 'code'])
    expect(await program.commissions()).toHaveLength(4)
    await program.changed(id, { applyToEarlier: true })
    expect(await program.commissions()).toHaveLength(4)
    expect(await program.verify()).toEqual([])
  })

  test('that another partner was credited for stay with that partner', async () => {
    const program = await given()
    const { id } = await program.assigned({ code: 'SAM20' })
    const other = await program.otherPartner()
    await program.sell({ customer_key: customer(), promotion_code: 'SAM20' })
    await program.changed(id, { partnerId: other })
    await program.changed(id, { applyToEarlier: true })
    await program.changed(id, { active: false })
    await program.assigned({ code: 'sam20', partnerId: other, applyToEarlier: true })
    expect(await program.sales()).toMatchObject([{ partnerId: program.partnerId }])
    expect(await program.commissions()).toHaveLength(1)
  })

  test('need an active code', async () => {
    const program = await given()
    const { id } = await program.assigned({ code: 'SAM20' })
    await program.changed(id, { active: false })
    expectRefusal(await program.change(id, { applyToEarlier: true }), 409, 'conflict')
  })
})

describe('a partner', () => {
  const givenPartner = async () => {
    const program = await given()
    const partner = await portal.givenPartner(program)
    const api = `/api/portal/programs/${program.id}/codes`
    const codes = async () => portalCode.array().parse((await partner.call('GET', api)).body.data)
    return { ...program, partner, codes, ask: (code: string) => partner.call('POST', api, { code }) }
  }

  test('sees their codes with their own uses and earnings, also of a code that was reassigned', async () => {
    const program = await givenPartner()
    const { id } = await program.assigned({ code: 'SAM20' })
    await program.sell({ customer_key: customer(), promotion_code: 'SAM20' })
    const mine = { id, code: 'SAM20', uses: 1, revenue: [{ currency: 'USD', amountCents: 10_000 }] }
    expect(await program.codes()).toMatchObject([{ ...mine, active: true }])
    await program.changed(id, { partnerId: await program.otherPartner() })
    await program.sell({ customer_key: customer(), promotion_code: 'SAM20' })
    expect(await program.codes()).toMatchObject([{ ...mine, active: false }])
    expect(await program.code(id)).toMatchObject({ uses: 2 })
  })

  test('may ask for a code only if the program allows it; it counts once a member accepts', async () => {
    const program = await givenPartner()
    expectRefusal(await program.ask('MAYA20'), 403, 'forbidden')
    await program.owner.call('PATCH', program.api, { partnersRequestCodes: true })
    const { status, body } = await program.ask('MAYA20')
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ code: 'MAYA20', active: false, requested: true })
    expectRefusal(await program.ask('maya20'), 409, 'conflict')
    expect(await program.sell({ customer_key: customer(), promotion_code: 'MAYA20' })).toMatchObject({
      reason: 'code_unknown',
    })
    expect(await program.changed(body.data.id, { active: true })).toMatchObject({ active: true, requested: false })
    expect(await program.sell({ customer_key: customer(), promotion_code: 'MAYA20' })).toMatchObject({
      credited_by: 'code',
    })
  })

  test('can be declined, and has at most five open requests', async () => {
    const program = await givenPartner()
    await program.owner.call('PATCH', program.api, { partnersRequestCodes: true })
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((number) => program.ask(`MAYA${number}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 409, 409])
    const [first] = await program.codes()
    expect(await program.changed(first?.id ?? 0, { active: false })).toMatchObject({ active: false, requested: false })
    expect((await program.ask('MAYA8')).status).toBe(201)
  })
})
