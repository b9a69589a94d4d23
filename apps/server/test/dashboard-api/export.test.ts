import { describe, expect, test } from 'bun:test'
import { EXPORT_FILES } from '@tributary/contract'
import { expectRefusal, givenClick, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0 })
await service.db
  .updateTable('partners')
  .set({ name: '=HYPERLINK("http://evil")' })
  .where('id', '=', program.link.partnerId)
  .execute()
await givenClick(service, program.link, { page_url: 'https://shop.example/a,b' })
const sold = await givenSale(program, 1000)
service.clock.advance(DAY_MS)
await program.pay()

const fetchFile = async (file: string, cookie = program.owner.cookie) => {
  const response = await fetch(`${service.url}${program.api}/export/${file}`, { headers: { cookie } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const linesOf = (text: string) => text.trimEnd().split('\r\n')

describe('exports', () => {
  const rows = {
    events: 4,
    customers: 1,
    sales: 1,
    commissions: 1,
    ledger: 2,
    partners: 1,
    links: 1,
    codes: 0,
    payouts: 1,
  }
  for (const file of EXPORT_FILES)
    test(`${file}.csv has a header and every row`, async () => {
      const { status, headers, text } = await fetchFile(`${file}.csv`)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(headers.get('content-disposition')).toContain(`"${file}.csv"`)
      expect(linesOf(text)).toHaveLength(rows[file] + 1)
    })

  test('amounts have the decimals of their currency, and text that looks like a formula is escaped', async () => {
    expect((await fetchFile('sales.csv')).text).toContain(
      `${sold.invoice_id},${sold.customer_key},10.00,0.00,USD,credited`,
    )
    expect((await fetchFile('partners.csv')).text).toContain(`"'=HYPERLINK(""http://evil"")"`)
  })

  test('a file longer than one batch has each row once', async () => {
    await service.pool.query(
      `INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused)
       SELECT $1, gen_random_uuid(), now() - (n / 3) * interval '1 second', now()::date, 'x', $2, $3, false FROM generate_series(1, 1234) n`,
      [program.id, program.link.id, program.link.partnerId],
    )
    const lines = linesOf((await fetchFile('events.csv')).text)
    expect(lines).toHaveLength(1 + 4 + 1234)
    expect(new Set(lines).size).toBe(lines.length)
    await service.pool.query("DELETE FROM click_events WHERE program_id = $1 AND click_id = 'x'", [program.id])
  })

  test('can be limited to one partner and a date range', async () => {
    for (const file of EXPORT_FILES)
      expect(linesOf((await fetchFile(`${file}.csv?partnerId=99999`)).text)).toHaveLength(1)
    for (const file of ['events', 'sales'])
      expect(linesOf((await fetchFile(`${file}.csv?dateTo=2020-01-01`)).text)).toHaveLength(1)
  })

  test('require permission to see their contents', async () => {
    const billing = await givenUser(service)
    await givenRole(service, program.workspaceId, billing, 'billing')
    expectRefusal(await billing.call('GET', `${program.api}/export/events.csv`), 403, 'forbidden')
    expect((await fetchFile('ledger.csv', billing.cookie)).status).toBe(200)
    expectRefusal(await program.owner.call('GET', `${program.api}/export/users.csv`), 404, 'not_found')
    expectRefusal(
      await program.owner.call('GET', `${program.api}/export/sales.csv?partnerId=x`),
      400,
      'invalid_request',
    )
  })
})
