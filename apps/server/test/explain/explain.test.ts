import { describe, expect, test } from 'bun:test'
import { browserLead, expectRefusal, givenClick, unique } from '../support/given.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { expectEveryDecisionAgain } from './every-decision.ts'
import { type ExplainedProgram, givenExplained, TEN_PERCENT } from './given-explained.ts'

const service = await givenService()

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
  test('names the credited partner and click, and why the other clicks lost, under last_click', async () => {
    const program = await givenExplained(service)
    const click_id = await givenThreeClicks(program)
    await givenClick(service, program.rival, { existing_click_id: click_id })
    const id = await program.sold({ click_id, amount: 4_900, invoice_id: 'INV-1' })
    const { subject, outcome, sentences, facts, commission } = await program.explainSale(id)
    expect(subject).toEqual({ kind: 'sale', id, invoiceId: 'INV-1', customerKey: null, clickId: click_id })
    expect(outcome).toBe('credited')
    expect(sentences[0]).toBe(
      'Sale INV-1 of $49.00 was credited to Ben because the sale was sent with the ID of a click from the last 60 days.',
    )
    expect(facts?.clicks.map(({ partnerName, why }) => [partnerName, why])).toEqual([
      ['Maya', 'earlier_click'],
      ['Ben', 'earlier_click'],
      ['Maya', 'earlier_click'],
      ['Ben', null],
    ])
    expect(sentences.join(' ')).toMatch(
      new RegExp(
        `on Maya’s link ${program.link.aff} on .{10,40} was not credited because a later click replaced it\\.`,
      ),
    )
    expect(commission).toMatchObject({ amountCents: 490, termsVersion: 1, partnerId: program.rival.partnerId })
  })

  test('names them under first_click too', async () => {
    const program = await givenExplained(service, TEN_PERCENT, { attributionModel: 'first_click' })
    const click_id = await givenThreeClicks(program)
    const { sentences, facts } = await program.explainSale(await program.sold({ click_id }))
    expect(sentences[0]).toContain('credited to Maya')
    expect(facts?.clicks.map(({ why }) => why)).toEqual([null, 'later_click', 'later_click'])
    expect(facts?.decidedOn).toMatchObject({ attributionModel: 'first_click', cookieWindowDays: 60 })
  })

  test('of an existing lead marks the clicks that came after the lead', async () => {
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
    test(`that is credited late goes to the click that would have won at the time of the sale: ${model}`, async () => {
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

  test('has amounts in the decimals of its currency', async () => {
    const program = await givenExplained(service)
    const click_id = await givenClick(service, program.link)
    const yen = await program.explainSale(await program.sold({ click_id, amount: 4_900, currency: 'JPY' }))
    expect(yen.sentences.join(' ')).toMatch(/Sale \S+ of ¥4,900 .* commission of ¥490/)
    const dinars = await program.explainSale(await program.sold({ click_id, amount: 4_900, currency: 'KWD' }))
    expect(dinars.sentences.join(' ')).toMatch(/of KWD 4\.900 .* commission of KWD 0\.490/)
  })

  test('has times in the time zone of the program', async () => {
    const program = await givenExplained(service, TEN_PERCENT, { timezone: 'Asia/Tokyo' })
    const click_id = await givenClick(service, program.link)
    const clickedAt = service.clock.now().toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'Asia/Tokyo' })
    const { sentences } = await program.explainSale(await program.sold({ click_id }))
    expect(sentences[1]).toStartWith(`The click on Maya’s link ${program.link.aff} on ${clickedAt}, `)
    expect(sentences[1]).toEndWith('M GMT+9 was credited.')
  })

  test('has its amounts, times and names as data, with a code for each step', async () => {
    const program = await givenExplained(service, { ...TEN_PERCENT, holdDays: 30 })
    const click_id = await givenClick(service, program.link)
    const id = await program.sold({ click_id, amount: 4_900, invoice_id: 'INV-1' })
    const { steps, sentences, timeline, commission } = await program.explainSale(id)
    expect(steps.map(({ kind, code }) => [kind, code])).toEqual([
      ['reason', 'valid_click'],
      ['click', 'click_credited'],
      ['evidence', 'seconds_since_click'],
      ['history', 'commission_earned'],
      ['fact', 'commission_held'],
    ])
    expect(sentences).toHaveLength(steps.length)
    expect(steps[0]?.parts).toEqual([
      { type: 'link', text: 'Sale INV-1', to: 'sale', id },
      { type: 'text', text: ' of ' },
      { type: 'amount', amountCents: 4_900, currency: 'USD' },
      { type: 'text', text: ' was credited to ' },
      { type: 'link', text: 'Maya', to: 'partner', id: program.link.partnerId },
      { type: 'text', text: ' because the sale was sent with the ID of a click from the last 60 days.' },
    ])
    expect(steps[4]?.parts).toEqual([
      { type: 'amount', amountCents: 490, currency: 'USD' },
      { type: 'text', text: ' is held until ' },
      { type: 'time', at: commission?.payableAt ?? '', timeZone: 'UTC', precision: 'minute' },
      { type: 'text', text: '.' },
    ])
    expect(timeline.at(-1)?.parts).toEqual(steps[3]?.parts ?? [])
    const forPartner = await program.explainSale(id, '?audience=partner')
    const parts = [...forPartner.steps, ...forPartner.timeline].flatMap((step) => step.parts)
    expect(parts.filter((part) => part.type === 'link')).toEqual([])
    // The time of a click would tell a partner which of their visitors bought.
    const times = parts.filter((part) => part.type === 'time')
    expect(new Set(times.map(({ at, precision }) => [precision, at.slice(10)].join()))).toEqual(
      new Set(['day,T12:00:00.000Z']),
    )
  })

  test('that was refunded after its payout says that the amount is deducted from the next one', async () => {
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
    expect(sentences.join(' ')).toContain('$0.60 of the commission was reversed because part of the sale was refunded.')
    expect(sentences.at(-2)).toBe(`$1.00 was paid in payout ${payout.id}.`)
    // It has been paid, so the date it was payable from no longer matters.
    expect(sentences.join(' ')).not.toContain('payable from')
    expect(sentences.join(' ')).toContain('It had already been paid, so the amount is deducted from the next payout.')
    expect(commission).toMatchObject({ amountCents: 100, reversedCents: 60, state: 'paid' })
  })

  test('ends with the state of its commission: held, in dispute, payable, in a payout, reversed', async () => {
    const program = await givenExplained(service, { ...TEN_PERCENT, holdDays: 30 })
    const customer_key = await program.customer()
    const id = await program.sold({ customer_key, invoice_id: 'in-1' })
    const state = async () => (await program.explainSale(id)).sentences.at(-1)
    expect(await state()).toMatch(/^\$1\.00 is held until [A-Z][a-z]{2} \d{1,2}, 20\d\d, \d{1,2}:\d\d [AP]M UTC\.$/)
    service.clock.advance(30 * DAY_MS)
    expect(await state()).toBe('$1.00 is payable now.')
    await program.dispute('in-1', 'dispute', 'open')
    expect(await state()).toBe('$1.00 is not payable until the dispute is decided.')
    await program.dispute('in-1', 'dispute', 'won')
    expect(await state()).toBe('$1.00 is payable now.')
    await program.pay()
    expect(await state()).toBe('$1.00 is reserved in an open payout and has not been sent yet.')
    await program.refund({ invoice_id: 'in-1' })
    expect(await state()).toBe('The commission has been reversed in full.')
  })

  test('with many clicks keeps the newest, the first and the winner', async () => {
    const program = await givenExplained(service, TEN_PERCENT, { attributionModel: 'first_click' })
    const click_id = await givenClick(service, program.link)
    for (let index = 0; index < 60; index++) await givenClick(service, program.rival, { existing_click_id: click_id })
    service.clock.advance(1_000)
    const { facts, sentences } = await program.explainSale(await program.sold({ click_id }))
    expect(facts?.clicks).toHaveLength(51)
    expect(facts?.clicks[0]).toMatchObject({ partnerName: 'Maya', why: null })
    expect(sentences).toContain('45 more clicks were not credited either.')
  })

  test('that is rejected leaves no decision', async () => {
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
  test('lists its provisional and settled states once each', async () => {
    const program = await givenExplained(service, { lead: { amountCents: 250 }, holdDays: 0 })
    const click_id = await givenThreeClicks(program)
    for (let times = 0; times < 2; times++) await browserLead(service, { click_id, customer_key: 'from-browser' })
    expect(await program.why('click_id', click_id)).toMatchObject({ outcome: 'provisional', commission: null })
    await program.lead({ click_id, customer_key: 'user-1' })
    const { outcome, timeline, sentences, commission } = await program.why('customer_key', 'user-1')
    expect(outcome).toBe('settled')
    expect(timeline.map(({ reason }) => reason)).toEqual(['lead_provisional', 'lead_settled', 'commission_earned'])
    expect(sentences[0]).toBe(
      'The lead for user-1 was credited to Maya because your server sent the lead with the ID of a click from the last 60 days.',
    )
    expect(commission).toMatchObject({ kind: 'lead', amountCents: 250, state: 'payable' })
  })
})

describe('stored decisions', () => {
  test('cannot be changed by the database role of the service', async () => {
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

  test('contain no personal data', async () => {
    const program = await givenExplained(service)
    const [customer_key, invoice_id] = [unique('key'), unique('inv')]
    const click_id = await givenClick(service, program.link)
    await program.lead({ customer_key, click_id, email: 'ada@example.com' })
    await program.sold({ customer_key, invoice_id })
    const rows = await service.db.selectFrom('decisions').selectAll().where('programId', '=', program.id).execute()
    expect(rows.length).toBe(2)
    for (const secret of [customer_key, invoice_id, click_id, 'ada@', 'a***@'])
      expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('come out the same when their facts are fed back into the rule', async () => {
    expect(await expectEveryDecisionAgain(service.db)).toBeGreaterThan(40)
  })
})
