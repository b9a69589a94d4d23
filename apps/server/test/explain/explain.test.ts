import { describe, expect, test } from 'bun:test'
import { browserLead, expectRefusal, givenClick, unique } from '../support/given.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { expectEveryDecisionAgain } from './every-decision.ts'
import { type ExplainedProgram, givenExplained, TEN_PERCENT } from './given-explained.ts'

const service = await startTestService()

/** Maya, then Ben, then Maya again through the same browser. */
const givenThreeClicks = async (program: ExplainedProgram) => {
  const click_id = await givenClick(service, program.link)
  for (const link of [program.rival, program.link]) {
    service.clock.advance(1_000)
    await givenClick(service, link, { existing_click_id: click_id })
  }
  service.clock.advance(1_000)
  return click_id
}

describe('a sale', () => {
  test('says whom it was credited to and which click won, with the losers and why: the last click', async () => {
    const program = await givenExplained(service)
    const click_id = await givenThreeClicks(program)
    await givenClick(service, program.rival, { existing_click_id: click_id })
    const id = await program.sold({ click_id, amount: 4_900, invoice_id: 'INV-1' })
    const { subject, outcome, sentences, facts, commission } = await program.explainSale(id)
    expect(subject).toEqual({ kind: 'sale', id, invoiceId: 'INV-1', customerKey: null, clickId: click_id })
    expect(outcome).toBe('credited')
    expect(sentences[0]).toBe(
      'Sale INV-1 of 49.00 USD was credited to Ben, because the sale named a click that was still within the attribution window.',
    )
    expect(facts?.clicks.map(({ partnerName, why }) => [partnerName, why])).toEqual([
      ['Maya', 'earlier_click'],
      ['Ben', 'earlier_click'],
      ['Maya', 'earlier_click'],
      ['Ben', null],
    ])
    expect(sentences.join(' ')).toContain(
      `through link ${program.link.aff} of Maya did not count, because a later click`,
    )
    expect(commission).toMatchObject({ amountCents: 490, termsVersion: 1, partnerId: program.rival.partnerId })
  })

  test('says so under first_click too', async () => {
    const program = await givenExplained(service, TEN_PERCENT, { attributionModel: 'first_click' })
    const click_id = await givenThreeClicks(program)
    const { sentences, facts } = await program.explainSale(await program.sold({ click_id }))
    expect(sentences[0]).toContain('credited to Maya')
    expect(facts?.clicks.map(({ why }) => why)).toEqual([null, 'later_click', 'later_click'])
    expect(facts?.decidedOn).toMatchObject({ attributionModel: 'first_click', cookieWindowDays: 60 })
  })

  test('of a bound customer shows the clicks that came after the sign-up as such', async () => {
    const program = await givenExplained(service)
    const click_id = await givenClick(service, program.link)
    await program.lead({ customer_key: 'user-1', click_id })
    service.clock.advance(1_000)
    await givenClick(service, program.rival, { existing_click_id: click_id })
    service.clock.advance(1_000)
    const { reason, facts } = await program.explainSale(await program.sold({ customer_key: 'user-1' }))
    expect(reason).toBe('bound_customer')
    expect(facts?.clicks.map(({ partnerName, why }) => [partnerName, why])).toEqual([
      ['Maya', null],
      ['Ben', 'after_the_lead'],
    ])
  })

  for (const model of ['last_click', 'first_click'] as const)
    test(`that was credited late goes to the click that would have won when it was made: ${model}`, async () => {
      const program = await givenExplained(service, TEN_PERCENT, { attributionModel: model })
      const click_id = await givenThreeClicks(program)
      const id = await program.sold({ customer_key: 'late', invoice_id: 'early' })
      service.clock.advance(1_000)
      await givenClick(service, program.rival, { existing_click_id: click_id })
      await program.lead({ customer_key: 'late', click_id })
      const { reason, facts, timeline, sentences } = await program.why('invoice_id', 'early')
      expect(reason).toBe('credited_late')
      expect(sentences[0]).toContain('credited to Maya')
      expect(facts?.clicks.map(({ why }) => why)).toEqual(
        model === 'last_click'
          ? ['earlier_click', 'earlier_click', null, 'after_the_sale']
          : [null, 'later_click', 'later_click', 'after_the_sale'],
      )
      expect(timeline.map((entry) => entry.reason)).toEqual(['customer_unknown', 'credited_late', 'commission_earned'])
      expect((await program.explainSale(id)).facts).toEqual(facts)
    })

  test('is told in the decimals of its currency', async () => {
    const program = await givenExplained(service)
    const click_id = await givenClick(service, program.link)
    const yen = await program.explainSale(await program.sold({ click_id, amount: 4_900, currency: 'JPY' }))
    expect(yen.sentences.join(' ')).toMatch(/Sale \S+ of 4900 JPY .* commission of 490 JPY/)
    const dinars = await program.explainSale(await program.sold({ click_id, amount: 4_900, currency: 'KWD' }))
    expect(dinars.sentences.join(' ')).toMatch(/of 4\.900 KWD .* commission of 0\.490 KWD/)
  })

  test('that was refunded after its payout says that the rest is a debt', async () => {
    const program = await givenExplained(service)
    const customer_key = await program.customer()
    const id = await program.sold({ customer_key, invoice_id: 'in-1' })
    const payout = await program.pay()
    await program.decide(payout.id, payout.lines[0].id, { status: 'paid' })
    service.clock.advance(1_000)
    await program.refund({ invoice_id: 'in-1', amount: 600 })
    const { timeline, sentences, commission } = await program.explainSale(id)
    expect(timeline.map(({ event, outcome }) => [event, outcome])).toEqual([
      ['sale', 'credited'],
      ['commission', 'earned'],
      ['payout', 'paid'],
      ['refund', 'reversed'],
    ])
    expect(sentences.join(' ')).toContain('0.60 USD of the commission were taken back')
    expect(sentences.join(' ')).toContain('It had been paid before, so the next payout pays so much less.')
    expect(commission).toMatchObject({ amountCents: 100, reversedCents: 60, state: 'paid' })
  })

  test('says where its commission stands now: held, in dispute, payable, in a payout, gone', async () => {
    const program = await givenExplained(service, { ...TEN_PERCENT, holdDays: 30 })
    const customer_key = await program.customer()
    const id = await program.sold({ customer_key, invoice_id: 'in-1' })
    const stands = async () => (await program.explainSale(id)).sentences.at(-1)
    expect(await stands()).toMatch(/^1\.00 USD are held now, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
    service.clock.advance(30 * DAY_MS)
    expect(await stands()).toBe('1.00 USD are payable now.')
    await program.dispute('in-1', 'dispute', 'open')
    expect(await stands()).toBe('1.00 USD are in dispute now, and held until it is decided.')
    await program.dispute('in-1', 'dispute', 'won')
    expect(await stands()).toBe('1.00 USD are payable now.')
    await program.pay()
    expect(await stands()).toBe('1.00 USD is reserved in an open payout and has not been sent yet.')
    await program.refund({ invoice_id: 'in-1' })
    expect(await stands()).toBe('Nothing is left of the commission now.')
  })

  test('with more clicks than anybody wants to read keeps the newest, the first and the winner', async () => {
    const program = await givenExplained(service, TEN_PERCENT, { attributionModel: 'first_click' })
    const click_id = await givenClick(service, program.link)
    for (let index = 0; index < 60; index++) await givenClick(service, program.rival, { existing_click_id: click_id })
    service.clock.advance(1_000)
    const { facts, sentences } = await program.explainSale(await program.sold({ click_id }))
    expect(facts?.clicks).toHaveLength(51)
    expect(facts?.clicks[0]).toMatchObject({ partnerName: 'Maya', why: null })
    expect(sentences).toContain('45 more clicks did not count either.')
  })

  test('that a call was refused for leaves no decision', async () => {
    const program = await givenExplained(service)
    const customer_key = await program.customer()
    await program.sold({ customer_key, invoice_id: 'in-1' })
    const count = async () =>
      (await service.db.selectFrom('decisions').select('id').where('programId', '=', program.id).execute()).length
    const before = await count()
    expectRefusal(await program.sale({ customer_key, amount: 1_000, invoice_id: 'in-1' }), 409, 'duplicate_invoice')
    expectRefusal(await program.lead({ customer_key: 'new', click_id: 'forged' }), 400, 'click_not_found')
    expectRefusal(await program.refund({ invoice_id: 'in-1', amount: 9_999 }), 400, 'invalid_amount')
    await program.lead({ customer_key })
    expect(await count()).toBe(before)
  })
})

describe('a lead', () => {
  test('tells of both its states, once each', async () => {
    const program = await givenExplained(service, { lead: { amountCents: 250 }, holdDays: 0 })
    const click_id = await givenThreeClicks(program)
    for (let times = 0; times < 2; times++) await browserLead(service, { click_id, customer_key: 'said-by-browser' })
    expect(await program.why('click_id', click_id)).toMatchObject({ outcome: 'provisional', commission: null })
    await program.lead({ click_id, customer_key: 'user-1' })
    const { outcome, timeline, sentences, commission } = await program.why('customer_key', 'user-1')
    expect(outcome).toBe('settled')
    expect(timeline.map(({ reason }) => reason)).toEqual(['lead_provisional', 'lead_settled', 'commission_earned'])
    expect(sentences[0]).toBe(
      'The lead for user-1 was credited to Maya, because the sign-up was reported by the server, with a click that was still valid.',
    )
    expect(commission).toMatchObject({ kind: 'lead', amountCents: 250, state: 'payable' })
  })
})

describe('what is kept', () => {
  test('cannot be changed by the role the service works as', async () => {
    const client = await service.pool.connect()
    try {
      await client.query('SET ROLE tributary_app')
      for (const statement of ['UPDATE decisions SET reason = reason', 'DELETE FROM decisions', 'TRUNCATE decisions'])
        await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/)
    } finally {
      await client.query('RESET ROLE')
      client.release()
    }
  })

  test('holds nothing personal', async () => {
    const program = await givenExplained(service)
    const [customer_key, invoice_id] = [unique('key'), unique('inv')]
    const click_id = await givenClick(service, program.link)
    await program.lead({ customer_key, click_id, email: 'ada@example.com' })
    await program.sold({ customer_key, invoice_id })
    const rows = await service.db.selectFrom('decisions').selectAll().where('programId', '=', program.id).execute()
    expect(rows.length).toBe(4)
    for (const secret of [customer_key, invoice_id, click_id, 'ada@', 'a***@'])
      expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('gives the same decision again when it is fed back into the rule', async () => {
    expect(await expectEveryDecisionAgain(service.db)).toBeGreaterThan(40)
  })
})
