import { describe, expect, test } from 'bun:test'
import { click, givenLink, givenProgram, givenUser, givenWorkspace, type TestLink } from './support/given.ts'
import { clickEventsOf, countsOf, customerOf, leadsOf, salesOf } from './support/records.ts'
import { retryBusy } from './support/retry-busy.ts'
import { givenService } from './support/shared-service.ts'
import { sized } from './support/size.ts'

const service = await givenService()
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

const givenClick = async (link: TestLink, more: object = {}): Promise<string> => {
  const { status, body } = await retryBusy(() => click(service, { affiliate_url: link.url, ...more }))
  expect(status).toBe(200)
  return body.click_id
}

/** The short run sends as many as a busy machine can answer in time. */
const CLICKS = sized({ short: 100, long: 500 })
const EQUAL = sized({ short: 50, long: 200 })

describe('concurrent calls', () => {
  test(`${CLICKS} clicks on one link record ${CLICKS} events, all counted`, async () => {
    const { link } = await givenProgram(service)
    const ids = await Promise.all(times(CLICKS, () => givenClick(link)))
    expect(new Set(ids).size).toBe(CLICKS)
    expect(await clickEventsOf(service, link.id)).toHaveLength(CLICKS)
    expect((await countsOf(service, { linkId: link.id })).clicks).toBe(CLICKS)
  })

  test('100 clicks that reuse one click_id record 100 events of one customer', async () => {
    const { link } = await givenProgram(service)
    const existing_click_id = await givenClick(link)
    const ids = await Promise.all(times(100, () => givenClick(link, { existing_click_id })))
    expect(new Set(ids)).toEqual(new Set([existing_click_id]))
    expect((await countsOf(service, { linkId: link.id })).clicks).toBe(101)
  })

  test('many equal leads record one settled lead', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(program.link)
    const answers = await Promise.all(
      times(EQUAL, () => retryBusy(() => program.lead({ click_id, customer_key: 'user-1' }))),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.lead_id)).size).toBe(1)
    expect(await leadsOf(service, program.id)).toHaveLength(1)
    expect((await countsOf(service, { programId: program.id })).leads).toBe(1)
  })

  test('one customer key on 50 clicks records one settled lead', async () => {
    const program = await givenProgram(service)
    const clicks = await Promise.all(times(50, () => givenClick(program.link)))
    const answers = await Promise.all(
      clicks.map((click_id) => retryBusy(() => program.lead({ click_id, customer_key: 'user-1' }))),
    )
    expect(answers.filter(({ status, body }) => status === 200 && !body.duplicate)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.click_id)).size).toBe(1)
    expect((await countsOf(service, { programId: program.id })).leads).toBe(1)
  })

  test('50 customer keys on one click record 50 customers of one partner', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(program.link)
    const answers = await Promise.all(
      times(50, (index) => retryBusy(() => program.lead({ click_id, customer_key: `user-${index}` }))),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(answers.map(({ body }) => body.click_id)).size).toBe(50)
    expect((await countsOf(service, { linkId: program.link.id })).leads).toBe(50)
  })

  test('many equal sales answer 200 exactly once and record one sale', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(program.link)
    await retryBusy(() => program.lead({ click_id, customer_key: 'user-1' }))
    const answers = await Promise.all(
      times(EQUAL, () => retryBusy(() => program.sale({ customer_key: 'user-1', amount: 100, invoice_id: 'in-1' }))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(EQUAL - 1)
    expect(await salesOf(service, program.id)).toHaveLength(1)
    expect((await countsOf(service, { programId: program.id })).sales).toBe(1)
  })

  test('100 different sales of one customer all count', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(program.link)
    await retryBusy(() => program.lead({ click_id, customer_key: 'user-1' }))
    await Promise.all(
      times(100, (index) =>
        retryBusy(() => program.sale({ customer_key: 'user-1', amount: 100, invoice_id: `in-${index}` })),
      ),
    )
    expect((await countsOf(service, { programId: program.id })).sales).toBe(100)
  })

  test('a lead and a sale of one customer, in either order: the sale is credited', async () => {
    const program = await givenProgram(service)
    const clicks = await Promise.all(times(60, () => givenClick(program.link)))
    await Promise.all(
      clicks.flatMap((click_id, index) => {
        const customer_key = `user-${index}`
        const calls = [
          () => program.lead({ click_id, customer_key }),
          () => program.sale({ customer_key, amount: 100, invoice_id: `in-${index}` }),
        ]
        return (index % 2 ? calls : calls.toReversed()).map(retryBusy)
      }),
    )
    const sales = await salesOf(service, program.id)
    expect(sales.filter((sale) => sale.clickId === null)).toEqual([])
    expect(await countsOf(service, { linkId: program.link.id })).toMatchObject({ leads: 60, sales: 60 })
  })

  test('several leads and sales of one customer all succeed without running into deadlock detection', async () => {
    const program = await givenProgram(service)
    for (let round = 0; round < sized({ short: 4, long: 10 }); round++) {
      const [click_id, customer_key] = [await givenClick(program.link), `many-${round}`]
      const answers = await Promise.all(
        times(4, (index) => [
          retryBusy(() => program.lead({ click_id, customer_key })),
          retryBusy(() => program.sale({ customer_key, amount: 100, invoice_id: `in-${round}-${index >> 1}` })),
        ]).flat(),
      )
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    }
    const { rows } = await service.pool.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    )
    expect(Number(rows[0].deadlocks)).toBe(0)
    expect((await salesOf(service, program.id)).filter(({ clickId }) => clickId === null)).toEqual([])
  })

  test('clicks that move a record while its lead settles: lead, customer and count agree on one partner', async () => {
    const program = await givenProgram(service)
    const other = await givenLink(service, program.id)
    const clicks = await Promise.all(times(20, () => givenClick(program.link)))
    await Promise.all(
      clicks.flatMap((existing_click_id, index) => [
        givenClick(other, { existing_click_id }),
        retryBusy(() => program.lead({ click_id: existing_click_id, customer_key: `mover-${index}` })),
        givenClick(program.link, { existing_click_id }),
      ]),
    )
    for (const lead of await leadsOf(service, program.id))
      expect(await customerOf(service, lead.clickId)).toMatchObject({ linkId: lead.linkId, partnerId: lead.partnerId })
    expect(await countsOf(service, { programId: program.id })).toMatchObject({ clicks: 60, leads: 20 })
  })
})

describe('a link disabled under load', () => {
  test('records no click once disabling it was answered, and lists exactly the clicks it acknowledged', async () => {
    const user = await givenUser(service)
    const workspaceId = await givenWorkspace(user)
    const programId = (await user.call('POST', '/api/programs', { workspaceId, name: 'Moment' })).body.data.id
    const partner = { name: 'P', createLink: false }
    const partnerId = (await user.call('POST', `/api/programs/${programId}/partners`, partner)).body.data.id
    const link = (await user.call('POST', `/api/programs/${programId}/links`, { partnerId })).body.data
    const affiliate_url = `https://shop.example/?aff=${link.aff}`

    let disabledAt = Number.POSITIVE_INFINITY
    let acknowledged = 0
    let late = 0
    const visitor = async () => {
      for (;;) {
        const sentAt = performance.now()
        const { status } = await service.call('POST', '/api/v1/track/click', { affiliate_url })
        if (status === 200) acknowledged++
        if (status === 200 && sentAt > disabledAt) late++
        if (status === 410) return
      }
    }
    const visitors = times(32, visitor)
    while (acknowledged < visitors.length) await Bun.sleep(1)
    expect((await user.call('PATCH', `/api/programs/${programId}/links/${link.id}`, { active: false })).status).toBe(
      200,
    )
    const recordedThen = (await clickEventsOf(service, link.id)).length
    disabledAt = performance.now()
    await Promise.all(visitors)

    expect(late).toBe(0)
    expect(await clickEventsOf(service, link.id)).toHaveLength(recordedThen)
    expect(acknowledged).toBe(recordedThen)
    expect((await user.call('GET', `/api/programs/${programId}/links`)).body.data).toMatchObject([
      { active: false, clicks: acknowledged },
    ])
  })
})
