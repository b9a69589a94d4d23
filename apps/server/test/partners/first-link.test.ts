import { describe, expect, test } from 'bun:test'
import pg from 'pg'
import { givenDashboard } from '../dashboard-api/given-dashboard.ts'
import { click, expectRefusal, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { owner, givenProgram, givenLink } = await givenDashboard(service)

const add = (programId: number, fields: object = {}) =>
  owner.call('POST', `/api/programs/${programId}/partners`, { name: unique('Partner'), status: 'approved', ...fields })
const givenPartner = async (programId: number, fields: object = {}) => {
  const { status, body } = await add(programId, fields)
  expect(status).toBe(201)
  return body.data as { id: number; code: string; codeAsAff: string }
}
const change = (programId: number, id: number, body: object) =>
  owner.call('PATCH', `/api/programs/${programId}/partners/${id}`, body)
const linksOf = async (programId: number) =>
  (await owner.call('GET', `/api/programs/${programId}/links?sort=createdAt`)).body.data
const follow = (aff: string) => click(service, { affiliate_url: `https://shop.example/?aff=${aff}` })
const auditOf = async (programId: number) =>
  (await owner.call('GET', `/api/programs/${programId}/audit`)).body.data.map(
    ({ action }: { action: string }) => action,
  )

/** The statements about links and codes that a call runs. */
const statementsIn = async (call: () => Promise<unknown>) => {
  const texts: string[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
    const [first] = sent as [string | { text?: string }]
    texts.push(typeof first === 'string' ? first : (first?.text ?? ''))
    return Reflect.apply(query, this, sent)
  } as typeof query
  try {
    await call()
  } finally {
    pg.Client.prototype.query = query
  }
  return texts.filter((text) => /referral_links|partner_codes/.test(text))
}

describe('adding a partner', () => {
  test('creates their link: named after the code, to the first website, and the setup step is complete', async () => {
    const { id } = await givenProgram({ websites: ['https://shop.example'] })
    const { code, id: partnerId, codeAsAff } = await givenPartner(id, { name: unique('Maya') })
    expect(codeAsAff).toBe('works')
    expect(await linksOf(id)).toMatchObject([
      { aff: code, partnerId, destinationUrl: 'https://shop.example/', active: true, clicks: 0 },
    ])
    const { data: setUp } = (await owner.call('GET', `/api/programs/${id}/set-up`)).body
    expect(setUp.steps.link).toMatchObject({ done: true })
    expect((await auditOf(id)).slice(0, 2)).toEqual(['partner added', 'link created'])
    expect((await follow(code)).body.partner_code).toBe(code)
    expect(await linksOf(id)).toMatchObject([{ aff: code, clicks: 1 }])
  })

  test('creates none if the call says so; the code then gets its link with the first click', async () => {
    const { id } = await givenProgram()
    const { code } = await givenPartner(id, { createLink: false })
    expect(await linksOf(id)).toEqual([])
    expect((await follow(code)).status).toBe(200)
    expect(await linksOf(id)).toMatchObject([{ aff: code, clicks: 1 }])
  })

  test('creates none if another partner had the code first or has a link with it, in any letter case', async () => {
    const { id: first } = await givenProgram()
    const { id: other } = await givenProgram()
    const { code, id: partnerId } = await givenPartner(first, { code: unique('maya') })
    service.clock.advance(60_000)
    for (const taken of [code, code.toUpperCase()]) {
      const { id } = await givenProgram()
      expect(await givenPartner(id, { code: taken })).toMatchObject({ code: taken, codeAsAff: 'taken' })
      expect(await linksOf(id)).toEqual([])
    }
    const aff = unique('sale')
    await givenLink(first, partnerId, { aff })
    expect(await givenPartner(other, { code: aff.toUpperCase() })).toMatchObject({ codeAsAff: 'taken' })
    expect(await linksOf(other)).toEqual([])
    expect((await follow(code)).body.partner_code).toBe(code)
  })

  test('with a name that others have gives each a link of their own', async () => {
    const name = unique('Ada')
    const programs = [await givenProgram(), await givenProgram()]
    const codes = []
    for (const { id } of programs)
      for (const _ of [1, 2]) {
        const { code } = await givenPartner(id, { name })
        expect((await linksOf(id)).map(({ aff }: { aff: string }) => aff)).toContain(code)
        codes.push(code)
      }
    expect(new Set(codes).size).toBe(4)
  })

  test('that is refused creates no link', async () => {
    const { id } = await givenProgram()
    const { code } = await givenPartner(id)
    expectRefusal(await add(id, { code }), 409, 'conflict')
    expectRefusal(await add(id, { createLink: 'no' }), 400, 'invalid_request')
    expect(await linksOf(id)).toHaveLength(1)
  })

  test('concurrently with a click on the code creates one link', async () => {
    const { id } = await givenProgram()
    const code = unique('race')
    const [added, ...clicks] = await Promise.all([add(id, { code }), ...Array.from({ length: 8 }, () => follow(code))])
    expect(added.status).toBe(201)
    const counted = clicks.filter(({ status }) => status === 200).length
    expect(await linksOf(id)).toMatchObject([{ aff: code, clicks: counted }])
  })
})

describe('the link of a partner', () => {
  test('leads to the new website after the program moved from a development website', async () => {
    const { id } = await givenProgram({ websites: ['http://localhost:4010'] })
    await givenPartner(id)
    expect(await linksOf(id)).toMatchObject([{ destinationUrl: 'http://localhost:4010/' }])
    await owner.call('PATCH', `/api/programs/${id}`, { websites: ['https://shop.example'] })
    expect(await linksOf(id)).toMatchObject([{ destinationUrl: 'https://shop.example/' }])
  })

  test('stays when the code changes, and the new code gets one too', async () => {
    const { id } = await givenProgram()
    const { id: partnerId, code } = await givenPartner(id)
    await follow(code)
    const next = unique('next')
    expect((await change(id, partnerId, { code: next })).body.data).toMatchObject({ code: next, codeAsAff: 'works' })
    expect(await linksOf(id)).toMatchObject([
      { aff: code, partnerId, clicks: 1 },
      { aff: next, partnerId, clicks: 0 },
    ])
    for (const aff of [code, next]) expect((await follow(aff)).body.partner_code).toBe(next)
    expect((await auditOf(id)).slice(0, 2)).toEqual(['link created', 'partner changed'])
    // Back to the former code, which has its link.
    expect((await change(id, partnerId, { code })).status).toBe(200)
    expect(await linksOf(id)).toHaveLength(2)
  })

  test('is not replaced by a new code if it was disabled, the only one', async () => {
    const { id } = await givenProgram()
    const { id: partnerId, code } = await givenPartner(id)
    const [link] = await linksOf(id)
    await owner.call('PATCH', `/api/programs/${id}/links/${link.id}`, { active: false })
    const next = unique('next')
    await change(id, partnerId, { code: next })
    expect(await linksOf(id)).toHaveLength(1)
    for (const aff of [code, next]) expectRefusal(await follow(aff), 410, 'link_disabled')
  })

  test('records no clicks while the partner is suspended or archived, and does again afterwards', async () => {
    const { id } = await givenProgram()
    const { id: partnerId, code } = await givenPartner(id)
    for (const [stop, resume] of [
      [{ status: 'suspended' }, { status: 'approved' }],
      [{ archived: true }, { archived: false }],
    ]) {
      await change(id, partnerId, stop as object)
      expectRefusal(await follow(code), 410, 'link_disabled')
      await change(id, partnerId, resume as object)
      expect((await follow(code)).status).toBe(200)
    }
    expect(await linksOf(id)).toMatchObject([{ aff: code, clicks: 2 }])
  })

  test('of a partner who is added as suspended records no clicks', async () => {
    const { id } = await givenProgram()
    const { code } = await givenPartner(id, { status: 'suspended' })
    expect(await linksOf(id)).toHaveLength(1)
    expectRefusal(await follow(code), 410, 'link_disabled')
  })

  test('costs its first click one statement, like every later one', async () => {
    const { id } = await givenProgram()
    const { code } = await givenPartner(id)
    for (const _ of ['first', 'second']) expect(await statementsIn(() => follow(code))).toHaveLength(1)
    const { code: without } = await givenPartner(id, { createLink: false })
    expect((await statementsIn(() => follow(without))).length).toBeGreaterThan(1)
  })
})
