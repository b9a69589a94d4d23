import { describe, expect, test } from 'bun:test'
import { CHECK_HEADER, testAnswer } from '@tributary/contract'
import { browserLead, click, expectRefusal, givenProgram, givenUser, type TestProgram } from './support/given.ts'
import { givenRole } from './support/money.ts'
import { countsOf, everythingOf, testEventsOf } from './support/records.ts'
import { retryBusy } from './support/retry-busy.ts'
import { startTestService } from './support/service.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const testMode = { test_mode: true }

const expectTest = async (answer: { status: number; body: unknown }, program: TestProgram, eventType: string) => {
  expect(answer.status).toBe(200)
  const { data } = testAnswer.parse(answer.body)
  expect(data.programId).toBe(program.id)
  const [event, ...others] = await testEventsOf(service, program.id)
  expect(event).toMatchObject({ id: data.eventId, eventType })
  expect(others).toHaveLength(0)
  expect(await countsOf(service, { programId: program.id })).toMatchObject({ clicks: 0, leads: 0, sales: 0 })
}

describe('a test click', () => {
  test('on a link is an event of its program: no click_id, no counter, no customer', async () => {
    const program = await givenProgram(service)
    const before = await everythingOf(service)
    const answer = await click(service, { affiliate_url: program.link.url, additional_data: testMode })
    expect(answer.body).not.toHaveProperty('click_id')
    await expectTest(answer, program, 'click')
    expect(await everythingOf(service)).toEqual({ ...before, tests: (before?.tests ?? 0) + 1 })
  })

  test('works before the first link exists, by additional_data.program_id', async () => {
    const program = await givenProgram(service)
    const additional_data = { ...testMode, program_id: program.id }
    await expectTest(
      await click(service, { affiliate_url: 'https://shop.example/?aff=test', additional_data }),
      program,
      'click',
    )
  })

  test('may use the spelling of the SDK', async () => {
    const program = await givenProgram(service)
    const answer = await click(service, { affiliate_url: program.link.url, additionalData: testMode })
    await expectTest(answer, program, 'click')
  })

  test('may name the program of its link', async () => {
    const program = await givenProgram(service)
    const additional_data = { ...testMode, program_id: program.id }
    await expectTest(await click(service, { affiliate_url: program.link.url, additional_data }), program, 'click')
  })

  test('must still parse and have an aff', async () => {
    const before = await everythingOf(service)
    const additional_data = testMode
    expectRefusal(await click(service, { additional_data }), 400, 'missing_affiliate_url')
    expectRefusal(await click(service, { affiliate_url: 'nonsense', additional_data }), 400, 'invalid_affiliate_url')
    expectRefusal(await click(service, { affiliate_url: 'https://shop.example/', additional_data }), 400, 'missing_aff')
    expect(await everythingOf(service)).toEqual(before)
  })

  test('400 program_mismatch: link and program_id both known and different', async () => {
    const [program, other] = [await givenProgram(service), await givenProgram(service)]
    const additional_data = { ...testMode, program_id: other.id }
    expectRefusal(await click(service, { affiliate_url: program.link.url, additional_data }), 400, 'program_mismatch')
  })

  test('belongs to its link’s program if the named program does not exist', async () => {
    const program = await givenProgram(service)
    const additional_data = { ...testMode, program_id: 2_000_000_000 }
    expect((await click(service, { affiliate_url: program.link.url, additional_data })).status).toBe(200)
  })

  test('400 program_not_found: both unknown', async () => {
    for (const additional_data of [
      testMode,
      { ...testMode, program_id: 2_000_000_000 },
      { ...testMode, program_id: 'x' },
    ])
      expectRefusal(
        await click(service, { affiliate_url: 'https://shop.example/?aff=nobody\u0000', additional_data }),
        400,
        'program_not_found',
      )
  })
})

describe('a test lead', () => {
  test('with a key needs nothing else', async () => {
    const program = await givenProgram(service)
    await expectTest(await program.lead({ additional_data: testMode }), program, 'lead')
  })

  test('without a key needs a program_id', async () => {
    const program = await givenProgram(service)
    await expectTest(
      await browserLead(service, { additional_data: { ...testMode, program_id: program.id } }),
      program,
      'lead',
    )
    expectRefusal(await browserLead(service, { additional_data: testMode }), 400, 'program_not_found')
  })

  test('saves no customer key', async () => {
    const program = await givenProgram(service)
    await program.lead({ customer_key: 'user-1', additional_data: testMode })
    expectRefusal(await program.lead({ customer_key: 'user-1' }), 400, 'customer_unknown')
  })
})

describe('a test sale', () => {
  test('needs a key and nothing else, and is not money', async () => {
    const program = await givenProgram(service)
    expectRefusal(
      await service.call('POST', '/api/v1/track/sale', { additional_data: testMode }),
      401,
      'missing_api_key',
    )
    await expectTest(await program.sale({ additional_data: testMode }), program, 'sale')
  })

  test('is not validated and does not use up its invoice_id', async () => {
    const program = await givenProgram(service)
    await expectTest(
      await program.sale({ amount: -5, invoice_id: 'in-1', customer_key: 7, additional_data: testMode }),
      program,
      'sale',
    )
    expect((await program.sale({ amount: 5, invoice_id: 'in-1', customer_key: 'u' })).status).toBe(200)
  })
})

test('test clicks and leads without a key do not use up the merchant’s limit', async () => {
  const program = await givenProgram(service)
  const anonymous = (type: 'click' | 'lead') =>
    service.call('POST', `/api/v1/track/${type}`, {
      affiliate_url: program.link.url,
      additional_data: { test_mode: true, program_id: program.id },
    })
  const calls = Array.from({ length: 70 }, (_, index) => retryBusy(() => anonymous(index % 2 === 0 ? 'click' : 'lead')))
  await Promise.all(calls)
  // Not the answers: on a busy machine, a call that got 503 may have been stored.
  expect(await testEventsOf(service, program.id)).toHaveLength(60)
  expectRefusal(await anonymous('click'), 429, 'rate_limited')
  const keyedSale = () => retryBusy(() => program.sale({ additional_data: testMode }))
  await Promise.all(Array.from({ length: 61 }, keyedSale))
  expect(await testEventsOf(service, program.id)).toHaveLength(120)
  expectRefusal(await program.lead({ additional_data: testMode }), 429, 'rate_limited')
  service.clock.advance(60_001)
  expect((await anonymous('click')).status).toBe(200)
})

test('one address sends at most 60 tests a minute without a key, across programs', async () => {
  const limited = await startTestService({ rateLimits: true })
  limited.clock.stop()
  const programs = [await givenProgram(limited), await givenProgram(limited)]
  const send = (index: number) =>
    limited.call('POST', '/api/v1/track/lead', {
      additional_data: { test_mode: true, program_id: programs[index % 2]?.id },
    })
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => retryBusy(() => send(index))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  expectRefusal(await send(0), 429, 'rate_limited')
  expect((await programs[0]?.sale({ additional_data: testMode }))?.status).toBe(200)
})

describe('the dashboard’s test button', () => {
  const press = (program: TestProgram, type: 'click' | 'lead', headers: Record<string, string>, target = service) =>
    target.call(
      'POST',
      `/api/v1/track/${type}`,
      {
        affiliate_url: 'https://shop.example/?aff=test',
        additional_data: { ...testMode, program_id: program.id },
      },
      { [CHECK_HEADER]: 'dashboard', ...headers },
    )
  const givenMember = async (program: TestProgram, role = 'viewer', target = service) => {
    const user = await givenUser(target)
    await givenRole(target, program.workspaceId, user, role)
    return { cookie: user.cookie }
  }
  const originsOf = async ({ id }: TestProgram) =>
    (await service.db.selectFrom('testEvents').select('origin').where('programId', '=', id).execute()).map(
      ({ origin }) => origin,
    )

  test('works after strangers have used up every test without a key, marked as the dashboard’s or not', async () => {
    const program = await givenProgram(service)
    const member = await givenMember(program)
    const strangers = Array.from({ length: 70 }, (_, index) =>
      retryBusy(() =>
        index % 2 === 0
          ? press(program, 'click', {})
          : browserLead(service, { additional_data: { ...testMode, program_id: program.id } }),
      ),
    )
    const answers = await Promise.all(strangers)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    for (const type of ['click', 'lead'] as const) expect((await press(program, type, member)).status).toBe(200)
    expect((await originsOf(program)).filter((origin) => origin === 'dashboard')).toHaveLength(2)
  })

  test('works from an address that has used up its tests without a key, and has 60 a minute with the key', async () => {
    const limited = await startTestService({ rateLimits: true })
    limited.clock.stop()
    const [program, other] = [await givenProgram(limited), await givenProgram(limited)]
    const member = await givenMember(program, 'owner', limited)
    const additional_data = { ...testMode, program_id: other.id }
    for (let sent = 0; sent < 60; sent++) expect((await browserLead(limited, { additional_data })).status).toBe(200)
    expectRefusal(await browserLead(limited, { additional_data }), 429, 'rate_limited')
    expectRefusal(await press(program, 'lead', {}, limited), 429, 'rate_limited')
    expect((await press(program, 'lead', member, limited)).status).toBe(200)
    for (let sent = 1; sent < 60; sent++) expect((await program.sale({ additional_data: testMode })).status).toBe(200)
    expectRefusal(await press(program, 'click', member, limited), 429, 'rate_limited')
  })

  test('counts as a stranger’s without a session, for a member of another workspace, and for a role without tracking', async () => {
    const program = await givenProgram(service)
    const others = [{}, await givenMember(await givenProgram(service), 'owner'), await givenMember(program, 'billing')]
    for (const headers of others)
      for (const type of ['click', 'lead'] as const) expect((await press(program, type, headers)).status).toBe(200)
    // Neither the dashboard nor the merchant's page: such an event proves nothing.
    expect(await originsOf(program)).toEqual([null, null, null, null, null, null])
  })

  test('counts as the merchant’s page if the call is not marked, even in a signed-in browser', async () => {
    const program = await givenProgram(service)
    const { cookie } = await givenMember(program)
    await click(service, { affiliate_url: program.link.url, additional_data: testMode }, { cookie })
    expect(await originsOf(program)).toEqual(['browser'])
  })
})

test('a program accepts at most 60 test events a minute, even concurrently; then 429', async () => {
  const program = await givenProgram(service)
  const calls = Array.from({ length: 70 }, () => retryBusy(() => program.lead({ additional_data: testMode })))
  const answers = await Promise.all(calls)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThanOrEqual(10)
  for (const answer of refused) {
    expectRefusal(answer, 429, 'rate_limited')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await testEventsOf(service, program.id)).toHaveLength(60)
})
