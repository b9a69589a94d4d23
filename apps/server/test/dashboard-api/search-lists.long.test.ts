import { describe, expect, test } from 'bun:test'
import { commissionRow } from '@tributary/contract'
import { givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 2000, duration: 'lifetime' }, lead: { amountCents: 50 }, holdDays: 0 }

/** Maya has two sales of one customer, Ben a larger one of another. */
const givenLists = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const ben = await givenLink(service, program.id)
  const rename = (id: number, to: object) =>
    service.db.updateTable('partners').set(to).where('programId', '=', program.id).where('id', '=', id).execute()
  await rename(program.link.partnerId, { name: 'Maya Lindqvist', email: 'maya@blog.example', code: unique('spring') })
  await rename(ben.partnerId, { name: 'Ben Okafor', email: 'ben@other.example' })
  const names = { ada: unique('user_ada'), bob: unique('user_bob'), invoice: unique('INV-A'), other: unique('INV-B') }
  const lead = async (customer_key: string, link: typeof ben, email: string) => {
    const click_id = await givenClick(service, link)
    expect((await program.lead({ customer_key, click_id, email })).status).toBe(200)
  }
  const ada = `${unique('Ada')}@Customers.example`
  await lead(names.ada, program.link, ada)
  service.clock.advance(DAY_MS)
  await lead(names.bob, ben, 'bob@customers.example')
  await program.sale({ customer_key: names.ada, amount: 4_900, invoice_id: names.invoice })
  await program.sale({ customer_key: names.ada, amount: 100, invoice_id: unique('X') })
  await program.sale({ customer_key: names.bob, amount: 9_000, invoice_id: names.other })
  const get = async (path: string, user = program.owner) => {
    const { status, body } = await user.call('GET', `${program.api}${path}`)
    expect(status).toBe(200)
    return body.data
  }
  const count = async (list: string, text: string) =>
    (await get(`/${list}?search=${encodeURIComponent(text)}`)).length as number
  return { ...program, ...names, ben, email: ada.toLowerCase(), get, count }
}

describe('a search', () => {
  test('finds customers by key, email address, invoice and partner', async () => {
    const { ada, email, invoice, count } = await givenLists()
    expect(await count('customers', ada)).toBe(1)
    expect(await count('customers', 'user_')).toBe(2)
    expect(await count('customers', 'USER_')).toBe(2)
    expect(await count('customers', email)).toBe(1)
    expect(await count('customers', ` ${email.toUpperCase()}`.trim())).toBe(1)
    expect(await count('customers', email.slice(0, -1))).toBe(0)
    expect(await count('customers', invoice)).toBe(1)
    expect(await count('customers', 'lindq')).toBe(1)
    expect(await count('customers', '%')).toBe(0)
  })

  test('finds sales by the beginning of the invoice or the key, in any case, and by email address and partner', async () => {
    const { ada, email, invoice, count } = await givenLists()
    expect(await count('sales', invoice.slice(0, -1))).toBe(1)
    expect(await count('sales', 'inv-')).toBe(2)
    expect(await count('sales', invoice.slice(1))).toBe(0)
    expect(await count('sales', ada)).toBe(2)
    expect(await count('sales', email)).toBe(2)
    expect(await count('sales', 'okafor')).toBe(1)
  })

  test('finds links and balances by partner, and payouts by number and partner', async () => {
    const { count, pay, link, ben } = await givenLists()
    expect(await count('links', 'lindq')).toBe(1)
    expect(await count('links', link.aff.slice(1))).toBe(1)
    expect(await count('links', 'no such')).toBe(0)
    expect(await count('balances', 'blog.example')).toBe(1)
    const payout = await pay()
    expect(await count('payouts', String(payout.id))).toBe(1)
    expect(await count('payouts', 'Okafor')).toBe(1)
    expect(await count('payouts', 'nobody')).toBe(0)
    expect(await count(`payouts/${payout.id}/lines`, 'other.example')).toBe(1)
    expect(ben.partnerId).not.toBe(link.partnerId)
  })

  test('finds nothing of an erased customer by their address', async () => {
    const { ada, email, count, owner, api } = await givenLists()
    expect((await owner.call('POST', `${api}/customers/erase`, { customerKey: ada })).status).toBe(200)
    expect(await count('customers', email)).toBe(0)
    expect(await count('customers', ada)).toBe(0)
    const { rows } = await service.pool.query(
      'SELECT 1 FROM customer_emails JOIN programs ON programs.id = program_id WHERE program_id = $1',
      [api.split('/').at(-1)],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('commissions', () => {
  test('show their customer, invoice, sale amount and rate, and are found by them', async () => {
    const { get, count, invoice, ada, bob, email } = await givenLists()
    const rows = await get(`/commissions?search=${invoice}`)
    expect(rows).toHaveLength(1)
    expect(commissionRow.parse(rows[0])).toMatchObject({
      invoiceId: invoice,
      customerKey: ada,
      saleAmountCents: 4_900,
      saleCurrency: 'USD',
      rateBps: 2_000,
      amountCents: 980,
      partnerName: 'Maya Lindqvist',
    })
    const lead = (await get(`/commissions?search=${bob}`)).find(({ kind }: { kind: string }) => kind === 'lead')
    expect(commissionRow.parse(lead)).toMatchObject({
      invoiceId: null,
      customerKey: bob,
      saleAmountCents: null,
      rateBps: null,
    })
    expect(await count('commissions', ada)).toBe(3)
    expect(await count('commissions', email)).toBe(3)
    expect(await count('commissions', 'okafor')).toBe(2)
    expect(await count('commissions', String(rows[0].id))).toBe(1)
    expect(await count('commissions/totals', invoice)).toBe(1)
    expect(await count('commissions', 'no such')).toBe(0)
  })

  test('hide customers and invoices from members who may not list them', async () => {
    const { get, invoice, ada, email, workspaceId } = await givenLists()
    const clerk = await givenUser(service)
    await givenRole(service, workspaceId, clerk, 'billing')
    for (const row of await get('/commissions', clerk))
      expect(row).toMatchObject({ invoiceId: null, customerKey: null, customerId: null })
    for (const text of [invoice, ada, email])
      expect(await get(`/commissions?search=${encodeURIComponent(text)}`, clerk)).toEqual([])
    expect(await get('/commissions?search=okafor', clerk)).toHaveLength(2)
  })
})

test('every number sorts its list', async () => {
  const { get, pay, ada, bob } = await givenLists()
  const columns = async (list: string, sort: string, name: string) =>
    (await get(`/${list}?sort=${sort}`)).map((row: Record<string, unknown>) => row[name])
  expect(await columns('partners', '-revenue', 'name')).toEqual(['Ben Okafor', 'Maya Lindqvist'])
  expect(await columns('partners', 'commissions', 'name')).toEqual(['Maya Lindqvist', 'Ben Okafor'])
  expect((await columns('links', '-revenue', 'partnerName'))[0]).toBe('Ben Okafor')
  expect(await columns('customers', '-sales', 'customerKey')).toEqual([ada, bob])
  expect(await columns('customers', '-revenue', 'customerKey')).toEqual([bob, ada])
  expect(await columns('customers', 'leadAt', 'customerKey')).toEqual([ada, bob])
  expect(await columns('sales', '-commissionCents', 'commissionCents')).toEqual([1_800, 980, 20])
  expect(await columns('balances', '-reviewCents', 'reviewCents')).toEqual([0, 0])
  expect(await columns('balances', 'disputedCents', 'disputedCents')).toEqual([0, 0])
  const payout = await pay()
  expect(await columns('payouts', '-amountCents', 'id')).toEqual([payout.id])
})
