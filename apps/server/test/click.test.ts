import { describe, expect, test } from 'bun:test'
import { clickAnswer } from '@tributary/contract'
import { click, expectRefusal, givenClick, givenLink, givenProgram, unique } from './support/given.ts'
import { clickEventsOf, countsOf, customerOf, everythingOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

describe('a recorded click', () => {
  test('answers click_id, partner_code and cookie_window_days', async () => {
    const { link } = await givenProgram(service, { cookieWindowDays: 45 })
    const { status, body } = await click(service, { affiliate_url: link.url })
    expect(status).toBe(200)
    expect(clickAnswer.parse(body)).toEqual({
      success: true,
      click_id: expect.any(String),
      partner_code: link.partnerCode,
      cookie_window_days: 45,
    })
  })

  test('creates a customer record with customer_status = click', async () => {
    const { id, link } = await givenProgram(service)
    const clickId = await givenClick(service, link)
    expect(await customerOf(service, clickId)).toMatchObject({
      programId: id,
      customerStatus: 'click',
      customerKey: null,
      linkId: link.id,
      partnerId: link.partnerId,
    })
  })

  test("updates the link's clicks and last_clicked and the partner-program metrics", async () => {
    const { link } = await givenProgram(service)
    await givenClick(service, link)
    const before = Date.now()
    await givenClick(service, link)
    const counts = await countsOf(service, { linkId: link.id })
    expect(counts.clicks).toBe(2)
    expect(counts.lastClickedAt?.getTime()).toBeGreaterThanOrEqual(before)
  })

  test('stores every descriptive field and derives device, browser and operating system on the server', async () => {
    const { link } = await givenProgram(service)
    const described = {
      page_url: 'https://shop.example/pricing',
      page_title: 'Pricing',
      referrer_url: 'https://blog.example/',
      session_id: 'session-1',
      screen_resolution: '1920x1080',
      viewport_size: '1280x720',
      language: 'en-GB',
      timezone: 'Europe/London',
    }
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
    await givenClick(service, link, { ...described, user_agent: userAgent })
    const [event] = await clickEventsOf(service, link.id)
    expect(event).toMatchObject({
      pageUrl: described.page_url,
      pageTitle: 'Pricing',
      referrerUrl: described.referrer_url,
      sessionId: 'session-1',
      screenResolution: '1920x1080',
      viewportSize: '1280x720',
      language: 'en-GB',
      timezone: 'Europe/London',
      device: 'mobile',
      browser: 'Safari',
      operatingSystem: 'iOS',
    })
  })

  test('user_agent falls back to the HTTP User-Agent header', async () => {
    const { link } = await givenProgram(service)
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
    await click(service, { affiliate_url: link.url }, { 'user-agent': firefox })
    expect(await clickEventsOf(service, link.id)).toMatchObject([
      { browser: 'Firefox', operatingSystem: 'Windows', device: 'desktop' },
    ])
  })

  test('has a click_id that starts with its program and cannot be guessed', async () => {
    const { id, link } = await givenProgram(service)
    const [first, second] = [await givenClick(service, link), await givenClick(service, link)]
    expect(first).toMatch(new RegExp(`^${id}_[0-9a-z]{9}[A-Za-z0-9_-]{22}$`))
    expect(first.slice(-22)).not.toBe(second.slice(-22))
  })

  test('may be sent as text/plain and from any origin', async () => {
    const { link } = await givenProgram(service)
    const answer = await click(service, JSON.stringify({ affiliate_url: link.url }), {
      'content-type': 'text/plain',
      origin: 'https://shop.example',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('the preflight is allowed and cached for a day', async () => {
    const { status, headers } = await service.call('OPTIONS', '/api/v1/track/click', undefined, {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toContain('POST')
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type')
    expect(headers.get('access-control-max-age')).toBe('86400')
  })

  test('a browser can read the error too', async () => {
    const answer = await click(service, { affiliate_url: 'https://shop.example/' }, { origin: 'https://shop.example' })
    expectRefusal(answer, 400, 'missing_aff')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('a rejected click records nothing:', () => {
  const refusals: [string, unknown, number, string][] = [
    ['affiliate_url missing', {}, 400, 'missing_affiliate_url'],
    ['affiliate_url null', { affiliate_url: null }, 400, 'missing_affiliate_url'],
    ['affiliate_url empty', { affiliate_url: '' }, 400, 'missing_affiliate_url'],
    ['affiliate_url cannot be parsed as a URL', { affiliate_url: 'not a url?aff=x' }, 400, 'invalid_affiliate_url'],
    ['affiliate_url is not a string', { affiliate_url: 42 }, 400, 'invalid_affiliate_url'],
    ['affiliate_url is relative', { affiliate_url: '/pricing?aff=x' }, 400, 'invalid_affiliate_url'],
    ['no aff parameter', { affiliate_url: 'https://shop.example/?ref=x' }, 400, 'missing_aff'],
    ['aff is empty', { affiliate_url: 'https://shop.example/?aff=' }, 400, 'missing_aff'],
    ['aff only in the fragment', { affiliate_url: 'https://shop.example/#?aff=x' }, 400, 'missing_aff'],
    [
      'no referral link matches the aff value',
      { affiliate_url: 'https://shop.example/?aff=nobody' },
      400,
      'link_not_found',
    ],
    [
      'aff longer than 128 characters',
      { affiliate_url: `https://shop.example/?aff=${'x'.repeat(129)}` },
      400,
      'link_not_found',
    ],
  ]
  for (const [name, body, status, code] of refusals)
    test(`${status} ${code}: ${name}`, async () => {
      const before = await everythingOf(service)
      expectRefusal(await click(service, body), status, code)
      expect(await everythingOf(service)).toEqual(before)
    })

  test('400 link_misconfigured: the link has no partner or no program', async () => {
    const { id } = await givenProgram(service)
    const createdAt = new Date()
    const [noPartner, noProgram] = [unique('aff'), unique('aff')]
    await service.db
      .insertInto('referralLinks')
      .values([
        { aff: noPartner, programId: id, createdAt },
        { aff: noProgram, createdAt },
      ])
      .execute()
    const before = await everythingOf(service)
    for (const aff of [noPartner, noProgram])
      expectRefusal(
        await click(service, { affiliate_url: `https://shop.example/?aff=${aff}` }),
        400,
        'link_misconfigured',
      )
    expect(await everythingOf(service)).toEqual(before)
  })

  test('410 link_disabled: the link is inactive', async () => {
    const { id } = await givenProgram(service)
    const link = await givenLink(service, id, { active: false })
    expectRefusal(await click(service, { affiliate_url: link.url }), 410, 'link_disabled')
    expect(await clickEventsOf(service, link.id)).toHaveLength(0)
    expect((await countsOf(service, { linkId: link.id })).clicks).toBe(0)
  })

  test('410 link_disabled: the partner was suspended or rejected', async () => {
    const { link } = await givenProgram(service)
    for (const status of ['suspended', 'rejected']) {
      await service.db.updateTable('partners').set({ status }).where('id', '=', link.partnerId).execute()
      expectRefusal(await click(service, { affiliate_url: link.url }), 410, 'link_disabled')
    }
  })
})

describe('Global Privacy Control (Sec-GPC: 1)', () => {
  const signal = { 'sec-gpc': '1' }

  test('403 consent_refused, and nothing is recorded, if the program respects it', async () => {
    const program = await givenProgram(service, { respectGlobalPrivacyControl: true })
    const before = await everythingOf(service)
    const answer = await click(service, { affiliate_url: program.link.url }, signal)
    expectRefusal(answer, 403, 'consent_refused')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await everythingOf(service)).toEqual(before)
  })

  test('the signal must be 1, and other browsers are recorded', async () => {
    const { link } = await givenProgram(service, { respectGlobalPrivacyControl: true })
    for (const value of ['0', 'true', ''])
      expect((await click(service, { affiliate_url: link.url }, { 'sec-gpc': value })).status).toBe(200)
    expect(await clickEventsOf(service, link.id)).toHaveLength(3)
  })

  test('is ignored unless the program respects it, which is off by default', async () => {
    const { link } = await givenProgram(service)
    expect((await click(service, { affiliate_url: link.url }, signal)).status).toBe(200)
    expect(await clickEventsOf(service, link.id)).toHaveLength(1)
  })
})

describe('no optional field can make a click fail:', () => {
  const odd: [string, object][] = [
    [
      'wrong types',
      { page_url: 5, page_title: {}, referrer_url: [], session_id: true, language: 1, timezone: {}, user_agent: 7 },
    ],
    ['wrong formats', { screen_resolution: 'large', viewport_size: '10x', existing_click_id: 'nonsense' }],
    [
      'too long',
      {
        page_title: 'x'.repeat(5_000),
        page_url: `https://x.example/${'y'.repeat(9_000)}`,
        existing_click_id: 'z'.repeat(400),
      },
    ],
    [
      'NUL bytes and lone surrogates',
      { page_title: 'a\u0000b', session_id: '\ud800', existing_click_id: '\u0000', user_agent: '\u0000\udfff' },
    ],
    ['nulls', { page_url: null, additional_data: null, existing_click_id: null }],
    ['additional_data of another type', { additional_data: 'test' }],
    ['additional_data with odd values', { additional_data: { test_mode: 'yes', program_id: 'x' } }],
  ]
  for (const [name, fields] of odd)
    test(name, async () => {
      const { link } = await givenProgram(service)
      await givenClick(service, link, fields)
      expect(await clickEventsOf(service, link.id)).toHaveLength(1)
    })

  test('two spellings of a field that clicks do not have are ignored', async () => {
    const { link } = await givenProgram(service)
    const body = { affiliate_url: link.url, click_id: 'a', clickId: 'b', amount: 1, amount_cents: 2 }
    expect((await service.call('POST', '/api/v1/track/click', body)).status).toBe(200)
  })

  test('too long values are truncated, malformed values become null', async () => {
    const { link } = await givenProgram(service)
    await givenClick(service, link, { page_title: 'x'.repeat(5_000), screen_resolution: 'large', language: 9 })
    const [event] = await clickEventsOf(service, link.id)
    expect(event?.pageTitle).toHaveLength(512)
    expect(event).toMatchObject({ screenResolution: null, language: null })
  })
})

describe('aff', () => {
  test('is the first aff parameter of the query string, matched exactly', async () => {
    const { link } = await givenProgram(service)
    await givenClick(service, link, { affiliate_url: `${link.url}&aff=nobody` })
    expectRefusal(
      await click(service, { affiliate_url: `https://shop.example/?aff=nobody&aff=${link.aff}` }),
      400,
      'link_not_found',
    )
    expectRefusal(
      await click(service, { affiliate_url: `https://shop.example/?aff=${link.aff.toUpperCase()}` }),
      400,
      'link_not_found',
    )
  })

  test('works however odd the rest of the URL is', async () => {
    const { link } = await givenProgram(service)
    const urls = [
      `https://user:pw@shop.example:8443/%E0%A4%A/..//?x=%ff&aff=${link.aff}&%zz#frag?aff=no`,
      `http://[2001:db8::1]/?aff=${link.aff}`,
      `https://münchen.example/ä?ö=ü&aff=${link.aff}`,
      `  https://shop.example/?aff=${link.aff}  `,
    ]
    for (const affiliate_url of urls) await givenClick(service, link, { affiliate_url })
    expect(await clickEventsOf(service, link.id)).toHaveLength(urls.length)
  })
})
