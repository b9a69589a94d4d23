import { describe, expect, test } from 'bun:test'
import { partner as partnerAnswer, partnerDetail } from '@tributary/contract'
import { givenDashboard } from '../dashboard-api/given-dashboard.ts'
import { givenPortal, PASSWORD, REWARD } from '../portal/given-portal.ts'
import { click, expectRefusal, givenLink as givenDirectLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { owner, givenProgram, givenPartner, givenLink } = await givenDashboard(service)

const partnersOf = (programId: number) => `/api/programs/${programId}/partners`
const change = (programId: number, id: number, body: object) =>
  owner.call('PATCH', `${partnersOf(programId)}/${id}`, body)
const detail = async (programId: number, id: number) =>
  partnerDetail.parse((await owner.call('GET', `${partnersOf(programId)}/${id}`)).body.data)

describe('a partner', () => {
  test('can get another name, email address and code', async () => {
    const { id } = await givenProgram()
    const partner = await givenPartner(id, { email: 'maya@example.com' })
    const fields = { name: 'Maya L.', email: 'maya@new.example', code: unique('maya') }
    const { status, body } = await change(id, partner.id, fields)
    expect(status).toBe(200)
    expect(partnerAnswer.parse(body.data)).toMatchObject({ ...fields, archived: false })
    expect(await detail(id, partner.id)).toMatchObject({ ...fields, formerCodes: [partner.code] })
  })

  test('keeps old codes forever: no other partner of the program gets one, and the partner can take it back', async () => {
    const { id } = await givenProgram()
    const [first, second, third] = [unique('first'), unique('second'), unique('third')]
    const maya = await givenPartner(id, { code: first })
    await change(id, maya.id, { code: second })
    await change(id, maya.id, { code: third })
    const other = await givenPartner(id)
    for (const code of [first, second, third, third.toUpperCase()]) {
      for (const refused of [
        await owner.call('POST', partnersOf(id), { name: 'x', code }),
        await change(id, other.id, { code }),
      ]) {
        expectRefusal(refused, 409, 'conflict')
        expect(refused.body.error.field).toBe('code')
      }
    }
    expect((await change(id, maya.id, { code: first })).body.data.code).toBe(first)
    expect((await detail(id, maya.id)).formerCodes.toSorted()).toEqual([second, third].toSorted())
    const elsewhere = await givenProgram()
    expect((await owner.call('POST', partnersOf(elsewhere.id), { name: 'x', code: second })).status).toBe(201)
  })

  test('a code generated from a name avoids old codes', async () => {
    const { id } = await givenProgram()
    const grace = await givenPartner(id, { name: 'Grace Hopper' })
    await change(id, grace.id, { code: 'grace' })
    expect((await givenPartner(id, { name: 'Grace Hopper' })).code).toMatch(/^grace-hopper-/)
  })

  test('a code that several partners request concurrently goes to one', async () => {
    const { id } = await givenProgram()
    const maya = await givenPartner(id)
    const code = unique('wanted')
    const answers = await Promise.all([
      change(id, maya.id, { code }),
      ...[1, 2, 3].map(() => owner.call('POST', partnersOf(id), { name: 'x', code })),
      change(id, maya.id, { code: unique('next') }),
    ])
    const rows = await service.pool.query(
      `SELECT partner_id FROM (SELECT id AS partner_id, program_id, code FROM partners
       UNION SELECT partner_id, program_id, code FROM partner_former_codes) every WHERE program_id = $1 AND code = $2`,
      [id, code],
    )
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true)
    expect(rows.rowCount).toBe(1)
  })
})

describe('an email address', () => {
  test('belongs to one partner of a program, in any case', async () => {
    const { id } = await givenProgram()
    const email = `${unique('maya')}@example.com`
    const maya = await givenPartner(id, { email })
    const other = await givenPartner(id)
    for (const refused of [
      await owner.call('POST', partnersOf(id), { name: 'x', email: email.toUpperCase() }),
      await change(id, other.id, { email: email.toUpperCase() }),
    ]) {
      expectRefusal(refused, 409, 'conflict')
      expect(refused.body.error.field).toBe('email')
    }
    expect((await change(id, maya.id, { email: email.toUpperCase() })).status).toBe(200)
    const elsewhere = await givenProgram()
    expect((await owner.call('POST', partnersOf(elsewhere.id), { name: 'x', email })).status).toBe(201)
    expect((await change(id, maya.id, { email: null })).status).toBe(200)
    expect((await change(id, other.id, { email })).status).toBe(200)
  })

  test('requested several times concurrently is assigned once', async () => {
    const { id } = await givenProgram()
    const email = `${unique('maya')}@example.com`
    const other = await givenPartner(id)
    const answers = await Promise.all([
      ...[1, 2, 3, 4].map(() => owner.call('POST', partnersOf(id), { name: 'x', email })),
      change(id, other.id, { email }),
    ])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
  })

  test('that two partners shared before stays theirs, and both can still be edited', async () => {
    const { id } = await givenProgram()
    const email = `${unique('shared')}@example.com`
    const [one, two] = [await givenDirectLink(service, id), await givenDirectLink(service, id)]
    const ids = [one.partnerId, two.partnerId]
    await service.pool.query('UPDATE partners SET email = $1 WHERE id = ANY ($2)', [email, ids])
    for (const partnerId of ids)
      expect((await change(id, partnerId, { name: 'Renamed', email })).body.data).toMatchObject({ email })
    expectRefusal(await owner.call('POST', partnersOf(id), { name: 'x', email }), 409, 'conflict')
  })

  test('of a partner does not create a second partner by an application', async () => {
    const { id } = await givenProgram({ applicationsOpen: true })
    const email = `${unique('maya')}@example.com`
    await givenPartner(id, { email })
    const person = { name: 'Maya', email: email.toUpperCase(), password: PASSWORD }
    // The response must not reveal whether the address belongs to a partner.
    const answer = await service.call('POST', `/api/public/programs/${id}/apply`, person)
    expect([answer.status, answer.body]).toEqual([200, { data: { received: true } }])
    expect((await owner.call('GET', partnersOf(id))).body.meta.pagination.total).toBe(1)
    expect((await service.pool.query('SELECT FROM users WHERE email = $1', [email])).rowCount).toBe(0)

    const known = await givenUser(service)
    await givenPartner(id, { email: known.email })
    const refused = await known.call('POST', `/api/portal/programs/${id}/apply`)
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body.error.field).toBe('email')
  })
})

describe('an archived partner', () => {
  test('is hidden from the list and can be restored', async () => {
    const { id } = await givenProgram()
    const [maya, other] = [await givenPartner(id), await givenPartner(id)]
    expect((await change(id, maya.id, { archived: true })).body.data.archived).toBe(true)
    const listed = async (query = '') =>
      (await owner.call('GET', `${partnersOf(id)}${query}`)).body.data.map((row: { id: number }) => row.id)
    expect(await listed()).toEqual([other.id])
    expect(await listed('?archived=true')).toEqual([maya.id])
    expect(await listed('?archived=all')).toEqual([other.id, maya.id])
    expect(await detail(id, maya.id)).toMatchObject({ archived: true, status: 'pending' })
    expectRefusal(await owner.call('GET', `${partnersOf(id)}?archived=maybe`), 400, 'invalid_request')
    expect((await change(id, maya.id, { archived: false })).body.data.archived).toBe(false)
    expect(await listed()).toEqual([other.id, maya.id])
  })

  test('has disabled links while archived', async () => {
    const { id } = await givenProgram()
    const maya = await givenPartner(id, { status: 'approved' })
    const { aff } = await givenLink(id, maya.id)
    const follow = () => click(service, { affiliate_url: `https://shop.example/?aff=${aff}` })
    await change(id, maya.id, { archived: true })
    expectRefusal(await follow(), 410, 'link_disabled')
    expect((await owner.call('GET', `/api/programs/${id}/links`)).body.data).toMatchObject([{ partnerArchived: true }])
    await change(id, maya.id, { archived: false })
    expect((await follow()).status).toBe(200)
  })

  test('is paid what they earned', async () => {
    const program = await givenPayingProgram(service, { ...REWARD, holdDays: 1 })
    await givenSale(program, 1000)
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { archived: true })
    service.clock.advance(2 * DAY_MS)
    const payout = await program.pay()
    expect(payout.lines).toMatchObject([{ partnerId: program.link.partnerId, amountCents: 150 }])
    const paid = await program.decide(payout.id, payout.lines[0].id, { status: 'paid' })
    expect(paid.status).toBe(200)
    expect(await program.balance()).toMatchObject({ payableCents: 0, paidCents: 150 })
  })

  test('still sees the portal, and cannot create links there', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', program.api, { partnersCreateLinks: true })
    const partner = await givenPortal(service).givenPartner(program)
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { archived: true })
    expect((await partner.call('GET', '/api/portal/programs')).body.data).toMatchObject([
      { archived: true, mayCreateLinks: false },
    ])
    expectRefusal(await partner.call('POST', `/api/portal/programs/${program.id}/links`, {}), 403, 'forbidden')
  })

  test('does not count as a partner in the setup steps', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const hasPartners = async () =>
      (await program.owner.call('GET', `/api/tracking/status/${program.id}`)).body.data.hasPartners
    expect(await hasPartners()).toBe(true)
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { archived: true })
    expect(await hasPartners()).toBe(false)
    await givenDirectLink(service, program.id)
    expect(await hasPartners()).toBe(true)
  })
})
