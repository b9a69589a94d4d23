import { describe, expect, test } from 'bun:test'
import { newClickToken } from '../src/tracking/clicks/click-ids.ts'
import { type ClickRow, writeClicks } from '../src/tracking/clicks/write-clicks.ts'
import { clickRow } from './support/click-row.ts'
import { givenLink, givenProgram } from './support/given.ts'
import { clickEventsOf, countsOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

const row = (aff: string, more: Partial<ClickRow> = {}) => clickRow(aff, newClickToken(new Date()), more)

describe('a batch of clicks', () => {
  test('sent twice gives the same results and one effect: a commit with a lost response is recognized', async () => {
    const { link } = await givenProgram(service)
    const [known] = await writeClicks(service.pool, [row(link.aff)], 0)
    const existingClickId = known?.refusal === null ? known.click_id : null
    const batch = [row(link.aff), row('nobody'), row(link.aff, { existingClickId }), row(link.aff)]
    const first = await writeClicks(service.pool, batch, 0)
    const second = await writeClicks(service.pool, batch, 1)
    expect(second).toEqual(first)
    expect(await clickEventsOf(service, link.id)).toHaveLength(4)
    expect((await countsOf(service, { linkId: link.id })).clicks).toBe(4)
  })

  test('returns results in row order, with rejected rows among the recorded', async () => {
    const [one, two] = [await givenProgram(service), await givenProgram(service)]
    const answers = await writeClicks(service.pool, [row(two.link.aff), row('nobody'), row(one.link.aff)], 0)
    expect(answers).toMatchObject([
      { partner_code: two.link.partnerCode },
      { refusal: 'link_not_found' },
      { partner_code: one.link.partnerCode },
    ])
  })

  test('with quotes, braces, backslashes, commas and the word NULL stores every text unchanged', async () => {
    const { link } = await givenProgram(service)
    const odd = ['"', '{}', '\\', ',', 'NULL', '', "'", '{"a":1}', ' x ', '\n', '🦦', '\\x00']
    await writeClicks(
      service.pool,
      odd.map((pageTitle) => row(link.aff, { pageTitle })),
      0,
    )
    const titles = (await clickEventsOf(service, link.id)).map(({ pageTitle }) => pageTitle)
    expect(titles.toSorted()).toEqual(odd.toSorted())
  })

  test('with a click in a month without a partition is still stored', async () => {
    const { link } = await givenProgram(service)
    await writeClicks(service.pool, [row(link.aff, { clickedAt: new Date('2031-05-05T00:00:00Z') })], 0)
    expect(await clickEventsOf(service, link.id)).toHaveLength(1)
  })

  test('of two services with the same slots locks in one order: no deadlock', async () => {
    const { id } = await givenProgram(service)
    const links = await Promise.all(Array.from({ length: 150 }, () => givenLink(service, id)))
    let sent = 0
    const some = (share: number) => links.filter(() => Math.random() < share).map(({ aff }) => row(aff))
    for (let round = 0; round < 60; round++)
      await Promise.all(
        [some(0.9), some(0.1), some(0.5)].map((batch) => {
          sent += batch.length
          return batch.length > 0 && writeClicks(service.pool, batch, 0)
        }),
      )
    expect((await countsOf(service, { programId: id })).clicks).toBe(sent)
  })
})
