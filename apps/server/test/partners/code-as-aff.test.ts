import { describe, expect, test } from 'bun:test'
import { givenDashboard } from '../dashboard-api/given-dashboard.ts'
import { givenPortal } from '../portal/given-portal.ts'
import { click, expectRefusal, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { untilWaiting } from '../support/until-waiting.ts'

const service = await givenService()
const { owner, givenProgram, givenPartner, givenLink } = await givenDashboard(service)

const follow = (aff: string, more: object = {}) =>
  click(service, { affiliate_url: `https://shop.example/?aff=${aff}`, ...more })
const change = (programId: number, id: number, body: object) =>
  owner.call('PATCH', `/api/programs/${programId}/partners/${id}`, body)
const linksOf = async (programId: number) =>
  (await owner.call('GET', `/api/programs/${programId}/links?sort=createdAt`)).body.data
const codeAsAff = async (programId: number, id: number) =>
  (await owner.call('GET', `/api/programs/${programId}/partners/${id}`)).body.data.codeAsAff

const givenApproved = async (fields: object = {}) => {
  const { id: programId } = await givenProgram()
  const code = unique('code')
  const partner = await givenPartner(programId, { status: 'approved', code, ...fields })
  return { programId, partner, code }
}

describe('a partner’s code', () => {
  test('works as aff without a link: the first click creates one, and the next ones use it', async () => {
    const { programId, partner, code } = await givenApproved()
    expect(await codeAsAff(programId, partner.id)).toBe('works')
    const answer = await follow(code)
    expect(answer.status).toBe(200)
    expect(answer.body.partner_code).toBe(code)
    expect((await follow(code)).status).toBe(200)
    expect(await linksOf(programId)).toMatchObject([{ aff: code, partnerId: partner.id, clicks: 2 }])
    expect(await codeAsAff(programId, partner.id)).toBe('works')
  })

  test('that another workspace chose later in other letter case cannot become its link and leads to nobody', async () => {
    const { programId, partner, code } = await givenApproved()
    service.clock.advance(60_000)
    const later = await givenApproved({ code: code.toUpperCase() })
    expect(later.partner.codeAsAff).toBe('taken')
    expect(await codeAsAff(later.programId, later.partner.id)).toBe('taken')
    const path = `/api/programs/${later.programId}/links`
    for (const aff of [code, code.toUpperCase(), code.replace(/^./, (first) => first.toUpperCase())])
      expectRefusal(await owner.call('POST', path, { partnerId: later.partner.id, aff }), 409, 'conflict')
    expectRefusal(await follow(code.toUpperCase()), 400, 'link_not_found')
    expect(await linksOf(later.programId)).toEqual([])

    expect(await codeAsAff(programId, partner.id)).toBe('works')
    expect((await follow(code)).body.partner_code).toBe(code)
  })

  test('does not work if another partner has a link with it in other letter case', async () => {
    const { programId, partner: other } = await givenApproved()
    const code = unique('bob')
    await givenLink(programId, other.id, { aff: code.toUpperCase() })
    const neighbor = await givenPartner(programId, { status: 'approved', code })
    const stranger = await givenApproved({ code })
    for (const { codeAsAff } of [neighbor, stranger.partner]) expect(codeAsAff).toBe('taken')
    expect(await codeAsAff(stranger.programId, stranger.partner.id)).toBe('taken')
    expectRefusal(await follow(code), 400, 'link_not_found')
  })

  test('works if the partner’s own link has it in other letter case', async () => {
    const { programId, partner } = await givenApproved()
    const code = unique('bob')
    await givenLink(programId, partner.id, { aff: code.toUpperCase() })
    expect((await change(programId, partner.id, { code })).body.data.codeAsAff).toBe('works')
    expect((await follow(code)).body.partner_code).toBe(code)
  })

  test('stays with its partner after it was replaced, even if another program chose it in between', async () => {
    const { programId, partner, code } = await givenApproved()
    service.clock.advance(60_000)
    const later = await givenApproved({ code })
    service.clock.advance(60_000)
    await change(programId, partner.id, { code: unique('next') })
    expect(await codeAsAff(later.programId, later.partner.id)).toBe('taken')
    expect((await follow(code)).status).toBe(200)
    expect(await linksOf(programId)).toMatchObject([{ aff: code, partnerId: partner.id }])
  })

  test('first used by many visitors concurrently creates one link and loses no click', async () => {
    const { programId, code } = await givenApproved()
    const answers = await Promise.all(Array.from({ length: 12 }, () => follow(code)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await linksOf(programId)).toMatchObject([{ aff: code, clicks: 12 }])
  })

  test('still works after it was replaced', async () => {
    const { programId, partner, code } = await givenApproved()
    const next = unique('next')
    await change(programId, partner.id, { code: next })
    expect((await follow(code)).body.partner_code).toBe(next)
    expect((await follow(next)).body.partner_code).toBe(next)
  })

  test('yields to a link with that aff', async () => {
    const { programId, partner: other } = await givenApproved()
    const code = unique('code')
    await givenLink(programId, other.id, { aff: code })
    const partner = await givenPartner(programId, { status: 'approved', code })
    expect((await follow(code)).body.partner_code).toBe(other.code)
    expect(await codeAsAff(programId, partner.id)).toBe('taken')
  })

  test('cannot become a link of another partner, now or after it was replaced', async () => {
    const { programId, partner, code } = await givenApproved()
    const next = unique('next')
    await change(programId, partner.id, { code: next })
    const neighbor = await givenPartner(programId, { status: 'approved' })
    const stranger = await givenApproved()
    const create = (program: number, partnerId: number | null, aff: string) =>
      owner.call('POST', `/api/programs/${program}/links`, { partnerId, aff })
    for (const aff of [code, next])
      for (const [program, id] of [
        [programId, neighbor.id],
        [programId, null],
        [stranger.programId, stranger.partner.id],
      ] as const) {
        const answer = await create(program, id, aff)
        expectRefusal(answer, 409, 'conflict')
        expect(answer.body.error).toMatchObject({
          field: 'aff',
          message: 'This link code is already taken. Choose a different one.',
        })
      }
    for (const aff of [code, next]) expect((await create(programId, partner.id, aff)).status).toBe(201)
  })

  test('cannot become a link of another partner in other letter case, now or after it was replaced', async () => {
    const { programId, partner, code } = await givenApproved()
    const next = unique('next')
    await change(programId, partner.id, { code: next })
    const neighbor = await givenPartner(programId, { status: 'approved' })
    const stranger = await givenApproved()
    const create = (program: number, partnerId: number | null, aff: string) =>
      owner.call('POST', `/api/programs/${program}/links`, { partnerId, aff })
    const variants = [code, next].flatMap((aff) => [
      aff.toUpperCase(),
      aff.replace(/^./, (first) => first.toUpperCase()),
    ])
    for (const aff of variants)
      for (const [program, id] of [
        [programId, neighbor.id],
        [programId, null],
        [stranger.programId, stranger.partner.id],
      ] as const)
        expectRefusal(await create(program, id, aff), 409, 'conflict')
    for (const aff of variants) expect((await create(programId, partner.id, aff)).status).toBe(201)
  })

  test('of partners in two programs works for the one who had it first', async () => {
    const { programId, partner, code } = await givenApproved()
    service.clock.advance(60_000)
    const later = await givenApproved({ code })
    expect(await codeAsAff(programId, partner.id)).toBe('works')
    expect(await codeAsAff(later.programId, later.partner.id)).toBe('taken')
    expect((await follow(code)).status).toBe(200)
    expect(await linksOf(programId)).toMatchObject([{ aff: code, partnerId: partner.id, clicks: 1 }])
  })

  test('that another workspace’s partner had first is reported when it is chosen, and not shared in the portal', async () => {
    const { code } = await givenApproved()
    service.clock.advance(60_000)
    const program = await givenPayingProgram(service, null)
    const add = async (name: string, code?: string) =>
      (
        await program.owner.call('POST', `${program.api}/partners`, {
          name,
          code,
          status: 'approved',
          createLink: false,
        })
      ).body.data
    const ben = await add('Ben', unique('ben'))
    expect(ben).toMatchObject({ codeAsAff: 'works' })
    expect(await add('Cleo', code)).toMatchObject({ code, codeAsAff: 'taken' })
    const next = `${code}-2`
    await givenApproved({ code: next })
    const changed = await program.owner.call('PATCH', `${program.api}/partners/${ben.id}`, { code: next })
    expect(changed.body.data).toMatchObject({ code: next, codeAsAff: 'taken' })

    await program.owner.call('PATCH', program.api, { websites: ['https://shop.example'] })
    await program.owner.call('POST', `${program.api}/resources/texts`, { title: 'Post', body: 'Try {link} now' })
    const benInPortal = await givenPortal(service).givenPartner(program, { ...program.link, partnerId: ben.id })
    const shared = async () =>
      (await benInPortal.call('GET', `/api/portal/programs/${program.id}/resources`)).body.data[0].body
    expect(await shared()).toBe('Try {link} now')
    await program.owner.call('PATCH', `${program.api}/partners/${ben.id}`, { code: unique('ben') })
    expect(await shared()).toContain('https://shop.example/?aff=ben')
  })

  test('generated from a name works, even if a link has the name in other letter case', async () => {
    const { programId, partner: other } = await givenApproved()
    const name = unique('Ada')
    await givenLink(programId, other.id, { aff: name.toUpperCase() })
    const partner = await givenPartner(programId, { name, status: 'approved' })
    expect(partner).toMatchObject({ codeAsAff: 'works' })
    expect((await follow(partner.code)).body.partner_code).toBe(partner.code)
  })

  test('generated from a name works, even if another workspace has a partner of this name', async () => {
    const name = unique('Ada')
    for (const _ of [1, 2]) {
      const { id: programId } = await givenProgram()
      const partner = await givenPartner(programId, { name, status: 'approved' })
      expect(partner).toMatchObject({ codeAsAff: 'works' })
      expect((await follow(partner.code)).body.partner_code).toBe(partner.code)
      expect(await linksOf(programId)).toMatchObject([{ aff: partner.code, partnerId: partner.id }])
    }
  })

  test('that an older partner changes to later stays with the one who had it first', async () => {
    const older = await givenApproved()
    service.clock.advance(60_000)
    const { programId, partner, code } = await givenApproved()
    service.clock.advance(60_000)
    expect((await change(older.programId, older.partner.id, { code })).status).toBe(200)
    expect(await codeAsAff(older.programId, older.partner.id)).toBe('taken')
    expect((await follow(code)).status).toBe(200)
    expect(await linksOf(programId)).toMatchObject([{ aff: code, partnerId: partner.id }])
  })

  test('used before another program has it keeps its partner', async () => {
    const { programId, partner, code } = await givenApproved()
    await follow(code)
    await givenApproved({ code })
    expect((await follow(code)).status).toBe(200)
    expect(await codeAsAff(programId, partner.id)).toBe('works')
  })

  test('does not work if the partner is suspended or archived, or has only disabled links', async () => {
    const suspended = await givenApproved({ status: 'suspended' })
    expectRefusal(await follow(suspended.code), 410, 'link_disabled')
    const archived = await givenApproved()
    await change(archived.programId, archived.partner.id, { archived: true })
    expectRefusal(await follow(archived.code), 410, 'link_disabled')
    const off = await givenApproved()
    await givenLink(off.programId, off.partner.id, { active: false })
    expectRefusal(await follow(off.code), 410, 'link_disabled')
    for (const { programId } of [suspended, archived]) expect(await linksOf(programId)).toEqual([])
  })

  test('selects the program of a test click and creates no link', async () => {
    const { programId, code } = await givenApproved()
    const answer = await follow(code, { additional_data: { test_mode: true } })
    expect(answer.status).toBe(200)
    expect(await linksOf(programId)).toEqual([])
    const events = (await owner.call('GET', `/api/tracking/events/${programId}`)).body.data
    expect(events).toMatchObject([{ test: true }])
  })

  test('that no partner has is an unknown link', async () => {
    expectRefusal(await follow(unique('nobody')), 400, 'link_not_found')
  })
})

describe('a code that is chosen while another partner creates a link with it in other letter case', () => {
  const givenTwo = async () => {
    const { programId, partner } = await givenApproved()
    const other = await givenPartner(programId, { status: 'approved' })
    const code = unique('race')
    const aff = code.toUpperCase()
    return {
      code,
      aff,
      partner,
      rename: () => change(programId, partner.id, { code }),
      link: () => owner.call('POST', `/api/programs/${programId}/links`, { partnerId: other.id, aff }),
    }
  }
  /** Runs both calls: the first is held up by an open transaction, and the second starts meanwhile. */
  const interleave = async <First, Second>(
    { statement, values }: { statement: string; values: unknown[] },
    calls: { first: () => Promise<First>; second: () => Promise<Second> },
  ) => {
    const client = await service.pool.connect()
    await client.query('BEGIN')
    await client.query(statement, values)
    const first = calls.first()
    await untilWaiting(service.pool)
    const second = calls.second()
    await Promise.race([second, untilWaiting(service.pool, 2)])
    await client.query('ROLLBACK')
    client.release()
    return Promise.all([first, second])
  }

  test('is taken if the link was first', async () => {
    const { aff, rename, link } = await givenTwo()
    const statement = 'INSERT INTO referral_links (aff, created_at) VALUES ($1, now())'
    const [linked, renamed] = await interleave({ statement, values: [aff] }, { first: link, second: rename })
    expect([linked.status, renamed.status, renamed.body.data.codeAsAff]).toEqual([201, 200, 'taken'])
  })

  test('works if the code was first, and the link is refused', async () => {
    const { partner, rename, link } = await givenTwo()
    const statement = 'SELECT FROM partners WHERE id = $1 FOR UPDATE'
    const [renamed, linked] = await interleave({ statement, values: [partner.id] }, { first: rename, second: link })
    expectRefusal(linked, 409, 'conflict')
    expect([renamed.status, renamed.body.data.codeAsAff]).toEqual([200, 'works'])
  })
})
