import { describe, expect, test } from 'bun:test'
import { givenPortal } from '../portal/given-portal.ts'
import { foundIn } from '../support/every-column.ts'
import { browserLead, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenUnverified } from './given-unverified.ts'

const service = await givenService()
const REWARD = { lead: { amountCents: 100 }, sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const IN_REVIEW = { state: 'review', reviewReason: 'customer_is_partner' }
const PAYABLE = { state: 'payable', reviewReason: null }

const givenProgramOf = async (email: string | null, settings: Parameters<typeof givenPayingProgram>[2] = {}) => {
  const program = await givenPayingProgram(service, REWARD, settings)
  const path = `${program.api}/partners/${program.link.partnerId}`
  if (email !== null) expect((await program.owner.call('PATCH', path, { email })).status).toBe(200)
  return program
}

/** A lead and a sale of the customer. */
const givenCustomer = async (program: PayingProgram, { email, key }: { email?: string; key?: string }) => {
  const customer_key = key ?? unique('customer')
  const click_id = await givenClick(service, program.link)
  expect((await program.lead({ click_id, customer_key, ...(email && { email }) })).status).toBe(200)
  expect((await program.sale({ customer_key, amount: 1_000, invoice_id: unique('in') })).status).toBe(200)
  return { customer_key, click_id }
}

const statesOf = async (program: PayingProgram) =>
  (await program.commissions()).map(({ state, reviewReason }: Record<string, unknown>) => ({ state, reviewReason }))

describe('lead and sale go to review as the partner’s own', () => {
  for (const [name, partner, customer] of [
    ['customer_key is the partner’s address', 'me@shop.example', { key: 'Me@Shop.example' }],
    ['customer_key is the partner’s address with a tag', 'me@shop.example', { key: 'me+one@shop.example' }],
    ['address has a tag', 'me@shop.example', { email: 'ME+trial@shop.example' }],
    ['address leaves out the partner’s tag', 'me+partner@shop.example', { email: 'me@shop.example' }],
    ['address has other dots at Gmail', 'jane.doe@gmail.com', { email: 'j.a.n.e.doe+x@googlemail.com' }],
    ['address has another name of Proton', 'jane.doe@proton.me', { email: 'janedoe@protonmail.com' }],
  ] as const)
    test(`if the ${name}`, async () => {
      const program = await givenProgramOf(partner)
      await givenCustomer(program, customer)
      expect(await statesOf(program)).toEqual([IN_REVIEW, IN_REVIEW])
      expect(await program.balance()).toMatchObject({ payableCents: 0, reviewCents: 200 })
    })

  test('if the address is that of the partner’s account, not of their contact', async () => {
    const program = await givenProgramOf('office@shop.example')
    const { email } = await givenPortal(service).givenPartner(program)
    await givenCustomer(program, { email })
    await givenCustomer(program, { key: email })
    expect(await statesOf(program)).toEqual([IN_REVIEW, IN_REVIEW, IN_REVIEW, IN_REVIEW])
  })
})

test('other people’s addresses do not: dots count where the provider counts them, and no tag names nobody', async () => {
  const program = await givenProgramOf('jane.doe@shop.example')
  for (const email of [
    'janedoe@shop.example',
    '+x@shop.example',
    'jane.doe@other.example',
    'jane.doe@shop.example.org',
  ])
    await givenCustomer(program, { email })
  await givenCustomer(program, { key: 'jane.doe' })
  expect(await statesOf(program)).toEqual(Array.from({ length: 10 }, () => PAYABLE))
})

describe('a lead without an address, repeated with the partner’s own', () => {
  const givenRepeated = async () => {
    const program = await givenProgramOf('me@gmail.com')
    const customer = await givenCustomer(program, {})
    expect(await statesOf(program)).toEqual([PAYABLE, PAYABLE])
    return { program, ...customer, email: 'm.e+1@gmail.com' }
  }

  test('sends what the customer has earned to review, and every later sale', async () => {
    const { program, customer_key, click_id, email } = await givenRepeated()
    const repeated = await Promise.all([1, 2, 3].map(() => program.lead({ customer_key, click_id, email })))
    expect(repeated.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await program.balance()).toMatchObject({ payableCents: 0, reviewCents: 200 })
    await program.sale({ customer_key, amount: 1_000, invoice_id: unique('in') })
    expect(await statesOf(program)).toEqual([IN_REVIEW, IN_REVIEW, IN_REVIEW])
    expect((await program.owner.call('GET', `${program.api}/customers/${click_id}`)).body.data.email).toBe(
      'm***@gmail.com',
    )
  })

  test('without a click, and does not reopen what a member has decided', async () => {
    const { program, customer_key, email } = await givenRepeated()
    const [, lead] = await program.commissions()
    const other = { email: 'buyer@shop.example', customer_key }
    const decide = (decision: string) =>
      program.owner.call('POST', `${program.api}/commissions/${lead.id}/review`, { decision, reason: 'known' })
    expect((await program.lead({ customer_key, email })).status).toBe(200)
    expect((await decide('released')).status).toBe(200)
    expect((await program.lead({ customer_key, email })).status).toBe(200)
    expect((await program.lead(other)).status).toBe(200)
    expect(await statesOf(program)).toMatchObject([IN_REVIEW, { state: 'payable' }])
  })

  test('racing with sales leaves none payable', async () => {
    const { program, customer_key, click_id, email } = await givenRepeated()
    const sell = () => program.sale({ customer_key, amount: 1_000, invoice_id: unique('in') })
    const repeat = () => program.lead({ customer_key, click_id, email })
    const answers = await Promise.all([sell(), repeat(), sell(), sell(), repeat(), sell()])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await statesOf(program)).toEqual(Array.from({ length: 6 }, () => IN_REVIEW))
  })

  test('after a payout takes the amount out of the next one', async () => {
    const { program, customer_key, email } = await givenRepeated()
    const payout = await program.pay()
    for (const { id } of payout.lines) await program.decide(payout.id, id, { status: 'paid' })
    await program.lead({ customer_key, email })
    expect(await program.balance()).toMatchObject({ payableCents: -200, reviewCents: 200 })
  })

  test('keeps the address only as a hash, until the customer is erased', async () => {
    const { program, customer_key, email } = await givenRepeated()
    await program.lead({ customer_key, email })
    expect(await foundIn(service.pool, email)).toEqual([])
    const row = () =>
      service.db.selectFrom('customers').selectAll().where('programId', '=', program.id).executeTakeFirstOrThrow()
    expect(await row()).toMatchObject({ emailHash: expect.anything(), mailboxHash: expect.anything() })
    const erased = await program.owner.call('POST', `${program.api}/customers/erase`, { customerKey: customer_key })
    expect(erased.status).toBe(200)
    expect(await row()).toMatchObject({ emailHash: null, mailboxHash: null, emailMasked: null })
  })
})

test('a customer stored before mailboxes were compared is recognized by the address itself', async () => {
  const program = await givenProgramOf('me+partner@shop.example')
  const { customer_key } = await givenCustomer(program, { email: 'me@shop.example' })
  await service.db.updateTable('customers').set({ mailboxHash: null }).where('programId', '=', program.id).execute()
  await program.sale({ customer_key, amount: 1_000, invoice_id: unique('in') })
  expect((await statesOf(program))[0]).toEqual(IN_REVIEW)
})

describe('a customer whom only a browser reported, if the server names the partner’s own address', () => {
  const givenBrowserSale = async () => {
    const program = await givenUnverified(service)
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { email: 'me@gmail.com' })
    await program.signUp()
    await program.buy()
    const { click_id, customer_key } = program
    const name = () => program.lead({ click_id, customer_key, email: 'me@gmail.com' })
    const expectOwn = async () => {
      const states = await statesOf(program)
      expect(states).toEqual(states.map(() => IN_REVIEW))
      expect(await program.balance()).toMatchObject({ payableCents: 0 })
    }
    return { ...program, name, expectOwn }
  }

  test('stays in review when that lead confirms the customer', async () => {
    const { name, expectOwn } = await givenBrowserSale()
    expect((await name()).status).toBe(200)
    await expectOwn()
  })

  test('returns to review after a lead without an address confirmed the customer', async () => {
    const { confirm, name, expectOwn } = await givenBrowserSale()
    await confirm()
    await name()
    await expectOwn()
  })
})

describe('an address that only a browser named', () => {
  const OWN = 'me+shop@gmail.com'
  const OTHER = 'buyer@shop.example'

  const givenBrowserAddress = async (email: string) => {
    const program = await givenProgramOf('me@gmail.com', { leadAuth: 'browser_allowed' })
    const click_id = await givenClick(service, program.link)
    const customer_key = unique('customer')
    expect((await browserLead(service, { click_id, customer_key, email })).status).toBe(200)
    const name = async (email: string, more: object = { click_id }) =>
      expect((await program.lead({ customer_key, email, ...more })).status).toBe(200)
    const buy = async () => {
      await program.sale({ customer_key, amount: 1_000, invoice_id: unique('in') })
      return (await statesOf(program))[0]
    }
    const found = async (email: string) =>
      (await program.owner.call('GET', `${program.api}/customers?search=${encodeURIComponent(email)}`)).body.data.length
    return { program, click_id, customer_key, name, buy, found }
  }

  test('does not hide the partner’s own, named by the server', async () => {
    const { program, click_id, name, buy, found } = await givenBrowserAddress('decoy+x@shop.example')
    expect(await Promise.all(['decoy+x@shop.example', OWN].map(found))).toEqual([1, 0])
    await name(OWN)
    expect(await buy()).toEqual(IN_REVIEW)
    expect(await statesOf(program)).toEqual([IN_REVIEW, IN_REVIEW])
    expect((await program.owner.call('GET', `${program.api}/customers/${click_id}`)).body.data.email).toBe(
      'm***@gmail.com',
    )
    expect(await Promise.all(['decoy+x@shop.example', OWN].map(found))).toEqual([0, 1])
  })

  test('does not hide it either if the server’s lead names only the key', async () => {
    const { name, buy } = await givenBrowserAddress('decoy@shop.example')
    await name(OWN, {})
    expect(await buy()).toMatchObject({ state: 'review', reviewReason: 'customer_is_partner' })
  })

  test('does not make an honest customer the partner once the server names another', async () => {
    const { name, buy } = await givenBrowserAddress(OWN)
    await name(OTHER)
    expect(await buy()).toEqual(PAYABLE)
  })

  test('counts until the server names one, and the server’s first one is kept', async () => {
    const { program, click_id, customer_key, name, buy } = await givenBrowserAddress(OWN)
    expect((await program.lead({ click_id, customer_key })).status).toBe(200)
    expect(await buy()).toEqual(IN_REVIEW)
    await Promise.all([name(OTHER), name(OTHER)])
    await name(OWN)
    expect(await buy()).toEqual(PAYABLE)
  })

  test('in a repeated lead counts like one in the first', async () => {
    const program = await givenProgramOf('me@gmail.com', { leadAuth: 'browser_allowed' })
    const call = { click_id: await givenClick(service, program.link), customer_key: unique('customer') }
    for (const more of [{}, { email: OWN }]) expect((await browserLead(service, { ...call, ...more })).status).toBe(200)
    expect((await program.lead(call)).status).toBe(200)
    await program.sale({ customer_key: call.customer_key, amount: 1_000, invoice_id: unique('in') })
    expect(await statesOf(program)).toEqual([IN_REVIEW, IN_REVIEW])
  })

  test('in a repeated lead is not stored once the server has confirmed the customer, for another click, or as a second one', async () => {
    const program = await givenProgramOf('me@gmail.com', { leadAuth: 'browser_allowed' })
    const [click_id, another] = [await givenClick(service, program.link), await givenClick(service, program.link)]
    const call = { click_id, customer_key: unique('customer') }
    const repeat = async (more: object) =>
      expect((await browserLead(service, { ...call, ...more })).body).toMatchObject({ duplicate: true })
    const masked = async () => (await program.owner.call('GET', `${program.api}/customers/${click_id}`)).body.data.email
    await browserLead(service, call)
    await browserLead(service, { click_id: another, customer_key: unique('customer') })
    await repeat({ click_id: another, email: OWN })
    expect(await masked()).toBeNull()
    expect((await program.lead(call)).status).toBe(200)
    await repeat({ email: OWN })
    expect(await masked()).toBeNull()
    const second = { click_id: await givenClick(service, program.link), customer_key: unique('customer') }
    await browserLead(service, { ...second, email: OTHER })
    await repeat({ ...second, email: OWN })
    expect((await program.owner.call('GET', `${program.api}/customers/${second.click_id}`)).body.data.email).toBe(
      'b***@shop.example',
    )
  })

  test('in a repeated lead racing with sales leaves none payable after the confirmation', async () => {
    const program = await givenProgramOf('me@gmail.com', { leadAuth: 'browser_allowed' })
    const call = { click_id: await givenClick(service, program.link), customer_key: unique('customer') }
    const sell = () => program.sale({ customer_key: call.customer_key, amount: 1_000, invoice_id: unique('in') })
    await browserLead(service, call)
    const repeat = () => browserLead(service, { ...call, email: OWN })
    const answers = await Promise.all([sell(), repeat(), sell(), sell(), repeat(), sell()])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await program.lead(call)).status).toBe(200)
    expect(await statesOf(program)).toEqual(Array.from({ length: 5 }, () => IN_REVIEW))
  })

  test('leaves nothing behind when the customer is erased', async () => {
    const { program, customer_key, name } = await givenBrowserAddress('decoy@shop.example')
    await name(OWN)
    expect(
      (await program.owner.call('POST', `${program.api}/customers/erase`, { customerKey: customer_key })).status,
    ).toBe(200)
    const { rows } = await service.pool.query('SELECT FROM customer_emails WHERE program_id = $1', [program.id])
    expect(rows).toEqual([])
  })
})

describe('sales credited by click', () => {
  const OWN = 'me@shop.example'

  const givenClicks = async () => {
    const program = await givenProgramOf(OWN)
    const sell = async (body: object) =>
      expect((await program.sale({ amount: 1_000, invoice_id: unique('in'), ...body })).status).toBe(200)
    const lead = async (body: object) => expect((await program.lead(body)).status).toBe(200)
    const [click_id, another] = [await givenClick(service, program.link), await givenClick(service, program.link)]
    return { program, sell, lead, click_id, another }
  }

  test('go to review if their customer_key is the partner’s address', async () => {
    const { program, sell, click_id } = await givenClicks()
    await sell({ click_id, customer_key: 'Me+1@shop.example' })
    expect(await statesOf(program)).toEqual([IN_REVIEW])
    await sell({ click_id, customer_key: 'buyer@shop.example' })
    await sell({ click_id })
    expect(await statesOf(program)).toEqual([PAYABLE, PAYABLE, IN_REVIEW])
  })

  for (const [name, own] of [
    ['address', { customer_key: 'own', email: OWN }],
    ['customer_key', { customer_key: OWN }],
  ] as const)
    test(`go to review with the first lead whose ${name} is the partner’s own`, async () => {
      const { program, sell, lead, click_id } = await givenClicks()
      await sell({ click_id })
      await sell({ click_id, customer_key: 'guest' })
      expect(await statesOf(program)).toEqual([PAYABLE, PAYABLE])
      await lead({ click_id, ...own })
      expect(await statesOf(program)).toEqual([IN_REVIEW, IN_REVIEW, IN_REVIEW])
      expect(await program.balance()).toMatchObject({ payableCents: 0, reviewCents: 300 })
    })

  test('go to review with a lead for their customer_key by another click', async () => {
    const { program, sell, lead, click_id, another } = await givenClicks()
    await sell({ click_id, customer_key: 'own' })
    await sell({ click_id, customer_key: 'other' })
    await lead({ click_id: another, customer_key: 'own', email: OWN })
    expect(await statesOf(program)).toEqual([IN_REVIEW, PAYABLE, IN_REVIEW])
  })

  test('go to review with a repeated lead for their customer_key by another click', async () => {
    const { program, sell, lead, click_id, another } = await givenClicks()
    await sell({ click_id, customer_key: 'own' })
    await lead({ click_id: another, customer_key: 'own' })
    expect(await statesOf(program)).toEqual([PAYABLE, PAYABLE])
    await lead({ customer_key: 'own', email: OWN })
    expect(await statesOf(program)).toEqual([IN_REVIEW, IN_REVIEW])
  })

  test('go to review if the lead for their customer_key with the partner’s address is credited to another partner', async () => {
    for (const named of ['at once', 'by a repeated lead']) {
      const { program, sell, lead, click_id } = await givenClicks()
      await sell({ click_id, customer_key: 'own' })
      const by = await givenClick(service, await givenLink(service, program.id))
      await lead({ click_id: by, customer_key: 'own', ...(named === 'at once' && { email: OWN }) })
      await lead({ customer_key: 'own', email: OWN })
      expect([named, await statesOf(program)]).toEqual([named, [PAYABLE, IN_REVIEW]])
    }
  })

  test('go to review with the lead for their click that a later click credits to another partner', async () => {
    const { program, sell, lead, click_id } = await givenClicks()
    await sell({ click_id })
    const other = await givenLink(service, program.id)
    expect(await givenClick(service, other, { existing_click_id: click_id })).toBe(click_id)
    await lead({ click_id, customer_key: 'own', email: OWN })
    expect(await statesOf(program)).toEqual([PAYABLE, IN_REVIEW])
  })

  test('stay payable if only a browser names their customer_key with the partner’s address', async () => {
    const program = await givenProgramOf(OWN, { leadAuth: 'browser_allowed' })
    const [click_id, another] = [await givenClick(service, program.link), await givenClick(service, program.link)]
    await program.sale({ click_id, customer_key: 'honest', amount: 1_000, invoice_id: unique('in') })
    await browserLead(service, { click_id: another, customer_key: 'honest', email: OWN })
    expect(await statesOf(program)).toEqual([{ state: 'review', reviewReason: 'customer_is_partner' }, PAYABLE])
  })

  test('racing with that lead leave none payable', async () => {
    const { program, sell, lead, click_id } = await givenClicks()
    await sell({ click_id, customer_key: 'own' })
    await Promise.all([
      sell({ click_id, customer_key: 'own' }),
      sell({ click_id }),
      lead({ click_id, customer_key: 'own', email: OWN }),
      sell({ click_id, customer_key: 'own' }),
      sell({ click_id }),
    ])
    expect(await statesOf(program)).toEqual(Array.from({ length: 6 }, () => IN_REVIEW))
  })
})
