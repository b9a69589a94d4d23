import { describe, expect, test } from 'bun:test'
import {
  applicationPage,
  payoutDetails,
  portalEarning,
  portalEarningDetail,
  portalLink,
  portalOverview,
  portalPayout,
  portalProgram,
  portalSale,
} from '@tributary/contract'
import { OPERATIONS } from '@tributary/contract/operations'
import { expectRefusal, givenClick, givenLink, givenUser, type TestLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale, type PayingProgram } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'

const service = await startTestService({ openSignup: false })
// The first account, so that sign-up is closed from here on; the others come by the back door of the tests.
const open = await startTestService()
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, lead: { amountCents: 50 } }
const PASSWORD = 'a long password'

const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
const callerWith = (cookie: string) => ({
  cookie,
  call: (method: string, path: string, body?: unknown) => open.call(method, path, body, { cookie }),
})

/** A partner of the program who has come by an invitation. */
const givenPartner = async (program: PayingProgram, link: TestLink = program.link) => {
  const email = `${unique('partner')}@example.com`
  const { status, body } = await program.owner.call('POST', `${program.api}/partners/${link.partnerId}/invite`, {
    email,
  })
  expect(status).toBe(201)
  const id = body.data.url.split('/').at(-1)
  const signedUp = await open.call('POST', `/api/public/partner-invitations/${id}/sign-up`, {
    name: 'Maya',
    password: PASSWORD,
  })
  expect(signedUp.status).toBe(200)
  return { email, invitationId: id, ...callerWith(cookieOf(signedUp.headers)) }
}

const givenStory = async () => {
  const program = await givenPayingProgram(open, REWARD)
  const other = await givenLink(open, program.id)
  await givenClick(open, other)
  const sold = await givenSale(program, 1000)
  await program.refund({ invoice_id: sold.invoice_id, amount: 400, reason: 'the customer Mrs. Secret sent it back' })
  const partner = await givenPartner(program)
  const portal = `/api/portal/programs/${program.id}`
  const get = async (path: string) => {
    const { status, body } = await partner.call('GET', `${portal}${path}`)
    expect(status).toBe(200)
    return body.data
  }
  return { ...program, other, sold, partner, portal, get }
}

describe('an invitation of a partner', () => {
  test('is a link by which they get an account although sign-up is closed', async () => {
    const owner = await givenUser(service)
    const workspaceId = (await owner.call('POST', '/api/workspaces', { name: 'W' })).body.data.id
    const programId = (await owner.call('POST', '/api/programs', { workspaceId, name: 'P' })).body.data.id
    const partner = (
      await owner.call('POST', `/api/programs/${programId}/partners`, { name: 'Maya', email: 'Maya@Example.com' })
    ).body.data
    const { body } = await owner.call('POST', `/api/programs/${programId}/partners/${partner.id}/invite`)
    expect(body.data.email).toBe('Maya@Example.com')
    expect(body.data.url).toStartWith('http://localhost:3000/portal/invite/')
    const id = body.data.url.split('/').at(-1)
    expect((await service.call('GET', `/api/public/partner-invitations/${id}`)).body.data).toMatchObject({
      programName: 'P',
      partnerName: 'Maya',
      email: 'maya@example.com',
    })
    const person = { name: 'Maya', email: 'maya@example.com', password: PASSWORD }
    expectRefusal(
      await service.call('POST', '/api/auth/sign-up/email', { ...person, invitationId: id }),
      403,
      'sign_up_closed',
    )
    for (const wrong of [{}, { name: 'x' }, { name: 'x', password: 'short' }])
      expectRefusal(
        await service.call('POST', `/api/public/partner-invitations/${id}/sign-up`, wrong),
        400,
        'invalid_request',
      )
    const signedUp = await service.call('POST', `/api/public/partner-invitations/${id}/sign-up`, {
      name: 'Maya',
      password: PASSWORD,
    })
    expect(signedUp.status).toBe(200)
    const mine = await service.call('GET', '/api/portal/programs', undefined, { cookie: cookieOf(signedUp.headers) })
    expect(mine.body.data.map((row: unknown) => portalProgram.parse(row))).toMatchObject([
      { programId, partnerId: partner.id, mayCreateLinks: false },
    ])
    // Who came as a partner has no way round the closed sign-up into a workspace of their own.
    const founding = await service.call(
      'POST',
      '/api/workspaces',
      { name: 'Mine' },
      { cookie: cookieOf(signedUp.headers) },
    )
    expectRefusal(founding, 403, 'forbidden')
    for (const again of ['GET', 'POST'])
      expectRefusal(
        await service.call(
          again,
          `/api/public/partner-invitations/${id}${again === 'POST' ? '/sign-up' : ''}`,
          again === 'POST' ? { name: 'x', password: PASSWORD } : undefined,
        ),
        404,
        'not_found',
      )
    expect((await owner.call('GET', `/api/programs/${programId}/partners/${partner.id}`)).body.data.hasAccount).toBe(
      true,
    )
    const { rows } = await service.pool.query('SELECT secret_hash FROM partner_invitations')
    expect(JSON.stringify(rows)).not.toContain(id.split('_')[1])
  })

  test('is accepted with an account that one has, but only by whom it is for, and until it ends', async () => {
    const program = await givenPayingProgram(open, REWARD)
    const [right, wrong] = [await givenUser(open), await givenUser(open)]
    const invite = async () =>
      (
        await program.owner.call('POST', `${program.api}/partners/${program.link.partnerId}/invite`, {
          email: right.email,
        })
      ).body.data.url
        .split('/')
        .at(-1)
    const replaced = await invite()
    const id = await invite()
    expectRefusal(await right.call('POST', `/api/portal/invitations/${replaced}/accept`), 404, 'not_found')
    expectRefusal(await wrong.call('POST', `/api/portal/invitations/${id}/accept`), 403, 'forbidden')
    expectRefusal(
      await open.call('POST', `/api/public/partner-invitations/${id}/sign-up`, { name: 'x', password: PASSWORD }),
      409,
      'conflict',
    )
    expect((await right.call('POST', `/api/portal/invitations/${id}/accept`)).body.data).toMatchObject({
      programId: program.id,
    })
    expectRefusal(await right.call('POST', `/api/portal/invitations/${id}/accept`), 404, 'not_found')
    const late = await invite()
    open.clock.advance(15 * DAY_MS)
    expectRefusal(await open.call('GET', `/api/public/partner-invitations/${late}`), 404, 'not_found')
    expect((await right.call('GET', '/api/me')).body.data.partnerOf).toMatchObject([
      { programId: program.id, partnerId: program.link.partnerId },
    ])
  })

  test('needs an address, and a partner of the program', async () => {
    const program = await givenPayingProgram(open, REWARD)
    expectRefusal(
      await program.owner.call('POST', `${program.api}/partners/${program.link.partnerId}/invite`, {}),
      400,
      'invalid_request',
    )
    expectRefusal(
      await program.owner.call('POST', `${program.api}/partners/999999/invite`, { email: 'a@b.example' }),
      404,
      'not_found',
    )
  })
})

describe('an application', () => {
  const givenOpenProgram = async () => {
    const program = await givenPayingProgram(open, REWARD)
    await program.owner.call('PATCH', program.api, { applicationsOpen: true, applicationText: 'Come and join.' })
    return { ...program, page: `/api/public/programs/${program.id}` }
  }

  test('makes an account and a partner who waits for approval', async () => {
    const { page, owner, api, id } = await givenOpenProgram()
    expect(applicationPage.parse((await open.call('GET', `${page}/application`)).body.data)).toMatchObject({
      text: 'Come and join.',
      reward: { sale: { percentBps: 1000 } },
    })
    const person = { name: 'Ada', email: `${unique('ada')}@example.com`, password: PASSWORD }
    const applied = await open.call('POST', `${page}/apply`, person)
    expect([applied.status, applied.body, applied.headers.getSetCookie()]).toEqual([
      200,
      { data: { received: true } },
      [],
    ])
    const signedIn = await open.call('POST', '/api/auth/sign-in/email', person)
    const ada = callerWith(cookieOf(signedIn.headers))
    expect((await ada.call('GET', '/api/portal/programs')).body.data).toMatchObject([
      { programId: id, status: 'pending', mayCreateLinks: false },
    ])
    const [partner] = (await owner.call('GET', `${api}/partners?status=pending`)).body.data
    expect(partner).toMatchObject({ name: 'Ada', email: person.email })
    await owner.call('PATCH', `${api}/partners/${partner.id}`, { status: 'approved' })
    expect((await ada.call('GET', '/api/portal/programs')).body.data).toMatchObject([{ status: 'approved' }])
  })

  test('says the same to an address that has an account, and makes nothing for it', async () => {
    const { page, owner, api, id } = await givenOpenProgram()
    const known = await givenUser(open)
    const answer = await open.call('POST', `${page}/apply`, {
      name: 'Thief',
      email: known.email,
      password: 'another password',
    })
    expect([answer.status, answer.body]).toEqual([200, { data: { received: true } }])
    expect((await owner.call('GET', `${api}/partners?status=pending`)).body.data).toEqual([])
    expect((await known.call('GET', '/api/portal/programs')).body.data).toEqual([])
    expect((await known.call('POST', `/api/portal/programs/${id}/apply`)).status).toBe(201)
    expectRefusal(await known.call('POST', `/api/portal/programs/${id}/apply`), 409, 'conflict')
  })

  test('to a program that takes none finds nothing', async () => {
    const program = await givenPayingProgram(open, REWARD)
    const someone = await givenUser(open)
    for (const id of [program.id, 999_999, 'x', '0']) {
      expectRefusal(await open.call('GET', `/api/public/programs/${id}/application`), 404, 'program_not_found')
      expectRefusal(
        await open.call('POST', `/api/public/programs/${id}/apply`, { name: 'x' }),
        404,
        'program_not_found',
      )
      expectRefusal(await someone.call('POST', `/api/portal/programs/${id}/apply`), 404, 'program_not_found')
    }
  })

  test('takes 10 attempts a minute and IP', async () => {
    const limited = await startTestService({ rateLimits: true })
    const attempt = () => limited.call('POST', '/api/public/programs/1/apply', {})
    for (let attempts = 0; attempts < 10; attempts++) expectRefusal(await attempt(), 404, 'program_not_found')
    expectRefusal(await attempt(), 429, 'rate_limited')
  })

  test('does not take the place of the first person of an instance', async () => {
    const fresh = await startTestService({ openSignup: false })
    await fresh.pool.query("INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w')")
    await fresh.pool.query(
      "INSERT INTO programs (workspace_id, name, applications_open, created_at) VALUES ('w', 'P', true, now())",
    )
    const [{ id }] = (await fresh.pool.query('SELECT id FROM programs')).rows
    expect(
      (
        await fresh.call('POST', `/api/public/programs/${id}/apply`, {
          name: 'x',
          email: 'x@example.com',
          password: PASSWORD,
        })
      ).status,
    ).toBe(200)
    const signUp = (email: string) =>
      fresh.call('POST', '/api/auth/sign-up/email', { name: 'x', email, password: PASSWORD })
    expect((await signUp('owner@example.com')).status).toBe(200)
    expectRefusal(await signUp('late@example.com'), 403, 'sign_up_closed')
  })
})

describe('the portal shows a partner', () => {
  test('their clicks, leads, sales, earnings and balances', async () => {
    const { get } = await givenStory()
    const { performance, balances } = portalOverview.parse(await get('/overview?period=7d'))
    expect(performance.totals).toMatchObject({
      clicks: 1,
      leads: 1,
      sales: 1,
      revenue: [{ amountCents: 1000 }],
      commissions: [{ amountCents: 150 }],
    })
    expect(balances).toMatchObject([{ currency: 'USD', heldCents: 110 }])
    expect((await get('/links')).map((row: unknown) => portalLink.parse(row))).toMatchObject([{ clicks: 1, sales: 1 }])
    expect((await get('/sales')).map((row: unknown) => portalSale.parse(row))).toMatchObject([
      { amountCents: 1000, refundedCents: 400 },
    ])
  })

  test('what is held until when, and what was taken back and why, in words that name nobody', async () => {
    const { get, sold } = await givenStory()
    const rows = (await get('/earnings')).map((row: unknown) => portalEarning.parse(row))
    expect(rows).toMatchObject([
      {
        kind: 'sale',
        amountCents: 100,
        reversedCents: 40,
        state: 'held',
        because: ['The customer got a part of the money back, so the same part of what you earned was taken back.'],
      },
      { kind: 'lead', amountCents: 50, state: 'held', because: [] },
    ])
    expect(await get('/earnings?state=paid')).toEqual([])
    const detail = portalEarningDetail.parse(await get(`/earnings/${rows[0].id}`))
    expect(detail.story.join(' ')).toContain('credited to you')
    for (const secret of [sold.customer_key, sold.invoice_id, 'Secret'])
      expect(JSON.stringify([rows, detail])).not.toContain(secret)
  })

  test('their payouts, and statements as files', async () => {
    const { get, pay, decide, partner, portal, sold } = await givenStory()
    open.clock.advance(31 * DAY_MS)
    const payout = await pay()
    await decide(payout.id, payout.lines[0].id, { status: 'paid' })
    expect((await get('/payouts')).map((row: unknown) => portalPayout.parse(row))).toMatchObject([
      { amountCents: 110, status: 'paid' },
    ])
    const files: Record<string, number> = { earnings: 2, payouts: 1, statement: 5 }
    for (const [file, rows] of Object.entries(files)) {
      const response = await fetch(`${open.url}${portal}/export/${file}.csv`, { headers: { cookie: partner.cookie } })
      const text = await response.text()
      expect([response.status, text.trimEnd().split('\r\n').length]).toEqual([200, rows + 1])
      for (const secret of [sold.customer_key, sold.invoice_id, 'Secret']) expect(text).not.toContain(secret)
    }
    for (const file of ['users.csv', 'toString.csv', 'earnings'])
      expectRefusal(await partner.call('GET', `${portal}/export/${file}`), 404, 'not_found')
  })

  test('where their money goes, which they say themselves and which is noted', async () => {
    const { get, partner, portal, owner, api, link } = await givenStory()
    expect(await get('/payout-details')).toBeNull()
    const details = { method: 'bank', account: 'DE89370400440532013000', holder: 'Maya' }
    expect(
      payoutDetails.parse((await partner.call('PUT', `${portal}/payout-details`, details)).body.data),
    ).toMatchObject(details)
    await partner.call('PUT', `${portal}/payout-details`, { ...details, method: 'paypal', account: 'maya@example.com' })
    expect(await get('/payout-details')).toMatchObject({ method: 'paypal' })
    expect((await owner.call('GET', `${api}/partners/${link.partnerId}`)).body.data.payoutDetails).toMatchObject({
      account: 'maya@example.com',
    })
    expect((await owner.call('GET', `${api}/audit?search=payout+details`)).body.data).toHaveLength(2)
    for (const wrong of [{}, { ...details, method: 'cash' }, { ...details, account: '' }, { ...details, holder: 5 }])
      expectRefusal(await partner.call('PUT', `${portal}/payout-details`, wrong), 400, 'invalid_request')
  })

  test('a way to make links, where the program allows it and they are approved', async () => {
    const { partner, portal, owner, api, link } = await givenStory()
    const make = (body: object = { destinationUrl: 'https://shop.example/pricing' }) =>
      partner.call('POST', `${portal}/links`, body)
    expectRefusal(await make(), 403, 'forbidden')
    await owner.call('PATCH', api, { partnersCreateLinks: true })
    expect(portalLink.parse((await make()).body.data)).toMatchObject({
      destinationUrl: 'https://shop.example/pricing',
      active: true,
    })
    expectRefusal(await make({ aff: link.aff }), 409, 'conflict')
    expectRefusal(await make({ destinationUrl: 'javascript:alert(1)' }), 400, 'invalid_request')
    await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { status: 'suspended' })
    expectRefusal(await make(), 403, 'forbidden')
    expect((await owner.call('GET', `${api}/links?partnerId=${link.partnerId}`)).body.data).toHaveLength(2)
  })
})

describe('every route of the portal', async () => {
  const story = await givenStory()
  const theirs = await givenPartner(story, story.other)
  const [{ id: commissionId }] = await story.get('/earnings')
  const routes = OPERATIONS.filter(({ caller }) => caller === 'partner')
  const fill = (path: string) =>
    path
      .replace('{programId}', String(story.id))
      .replace('{commissionId}', commissionId)
      .replace('{file}', 'earnings.csv')
      .replace('{invitationId}', story.partner.invitationId)
  const bodyFor = (method: string) => (method === 'get' ? undefined : {})
  const reads = routes.filter(({ method, path }) => method === 'get' && path.includes('{programId}'))

  test('is in this matrix', () => {
    expect(routes.length).toBeGreaterThan(12)
    expect(reads.length).toBeGreaterThan(7)
  })

  for (const { method, path } of routes)
    test(`${method.toUpperCase()} ${path} refuses who is not signed in, an API key included`, async () => {
      expectRefusal(await open.call(method.toUpperCase(), fill(path), bodyFor(method)), 401, 'unauthenticated')
      expectRefusal(
        await open.call(method.toUpperCase(), fill(path), bodyFor(method), { authorization: `Bearer ${story.key}` }),
        401,
        'unauthenticated',
      )
    })

  for (const { method, path } of routes.filter(({ path }) => path.includes('{programId}') && !path.endsWith('/apply')))
    test(`${method.toUpperCase()} ${path} refuses the merchant, and a partner of another program`, async () => {
      const elsewhere = await givenStory()
      for (const caller of [story.owner, elsewhere.partner])
        expectRefusal(await caller.call(method.toUpperCase(), fill(path), bodyFor(method)), 403, 'forbidden')
      expectRefusal(
        await story.partner.call(method.toUpperCase(), fill(path).replace(String(story.id), '987654'), bodyFor(method)),
        404,
        'program_not_found',
      )
    })

  for (const { path } of reads)
    test(`GET ${path} shows another partner of the program nothing of one's own`, async () => {
      const response = await fetch(`${open.url}${fill(path)}`, { headers: { cookie: theirs.cookie } })
      const text = await response.text()
      expect(response.status).toBe(path.includes('{commissionId}') ? 404 : 200)
      for (const secret of [
        story.link.aff,
        story.sold.customer_key,
        story.sold.invoice_id,
        story.partner.email,
        '"amountCents":1000',
        '"amountCents":100,',
      ])
        expect(text).not.toContain(secret)
    })

  test('and no merchant’s route is open to a partner', async () => {
    const session = OPERATIONS.filter(({ caller, path }) => caller === 'session' && path.includes('{programId}'))
    expect(session.length).toBeGreaterThan(30)
    for (const { method, path } of session)
      expectRefusal(
        await story.partner.call(method.toUpperCase(), fill(path).replace(/\{\w+\}/g, '1'), bodyFor(method)),
        403,
        'forbidden',
      )
    expect((await story.partner.call('GET', '/api/programs')).body.data).toEqual([])
    expect((await story.partner.call('GET', '/api/workspaces')).body.data).toEqual([])
  })
})
