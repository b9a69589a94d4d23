import { describe, expect, test } from 'bun:test'
import { ADVICE, type Explanation, REASONS, type ReasonCode } from '@tributary/contract'
import { type ReportBody, SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { browserLead, givenClick, unique } from '../support/given.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { expectEveryDecisionAgain } from './every-decision.ts'
import { type ExplainedProgram, givenExplained, nameOf, TEN_PERCENT } from './given-explained.ts'

const service = await startTestService()
const paying = await givenExplained(service, { ...TEN_PERCENT, lead: { amountCents: 250 } })
const salesOnly = await givenExplained(service)
const leadsOnly = await givenExplained(service, { lead: { amountCents: 250 }, holdDays: 0 })

const click = (program: ExplainedProgram) => givenClick(service, program.link)
const lead = async (program: ExplainedProgram, body: object): Promise<number> => (await program.lead(body)).body.lead_id

/** A credited sale of a new customer. */
const givenSale = async (program: ExplainedProgram, more: object = {}) => {
  const customer_key = await program.customer()
  const invoice_id = unique('invoice')
  return { customer_key, invoice_id, id: await program.sold({ customer_key, invoice_id, ...more }) }
}

const givenSelfReferral = async () => {
  const program = await givenExplained(service)
  await nameOf(service, program.link, 'Maya', 'maya@partner.example')
  const customer_key = unique('customer')
  await program.lead({ customer_key, click_id: await click(program), email: 'Maya@partner.example' })
  const id = await program.sold({ customer_key })
  return { program, id, commission: (await program.commissions())[0].id as number }
}

const givenSaleToUnverified = async () => {
  const program = await givenExplained(service, TEN_PERCENT, { leadAuth: 'browser_allowed' })
  const customer = { customer_key: unique('c'), click_id: await click(program) }
  await browserLead(service, customer)
  return { program, customer, id: await program.sold({ customer_key: customer.customer_key }) }
}

const explainAfterDispute = async (statuses: ['open' | 'won' | 'lost', string][], program = salesOnly) => {
  const { id, invoice_id } = await givenSale(program)
  for (const [status, dispute] of statuses) await program.dispute(invoice_id, dispute, status)
  return program.explainSale(id)
}

const paidWords = (grossCents: number, more: object = {}): ReportBody => ({
  kind: 'paid',
  grossCents,
  netCents: null,
  currency: 'USD',
  source: 'payment',
  subscriptionId: null,
  ...more,
})
const refundWords = (more: object = {}): ReportBody => ({
  kind: 'refund',
  refundId: 're_1',
  grossCents: 500,
  currency: 'USD',
  state: 'made',
  reason: null,
  ...more,
})
const openDispute: ReportBody = { kind: 'dispute', disputeId: 'dp_1', state: 'open', grossCents: null }

/** Reports one payment in several messages and explains it. `true` adds the three metadata keys. */
const explainReported = async (...messages: [ReportBody, boolean?, number?][]) => {
  const reference = unique('pi')
  const attribution = { programId: salesOnly.id, customerKey: unique('c'), clickId: await click(salesOnly) }
  for (const [words, isAttributed, neverTakenCents] of messages) {
    await salesOnly.tell([reference], words, isAttributed ? attribution : null, { neverTakenCents })
    service.clock.advance(1_000)
  }
  return salesOnly.why('invoice_id', reference)
}

const wait = (days: number) => service.clock.advance(days * DAY_MS)

/** A new promotion code of the partner. */
const givenCode = async () => {
  const code = unique('CODE')
  const { partnerId } = paying.link
  expect((await paying.owner.call('POST', `${paying.api}/codes`, { code, partnerId })).status).toBe(201)
  service.clock.advance(1_000)
  return code
}
const soldWithCode = (promotion_code: string) => paying.sold({ customer_key: unique('c'), promotion_code })

/** Produces each reason. A code without a scenario does not compile. */
const SCENARIOS: Record<ReasonCode, () => Promise<Explanation>> = {
  lead_settled: async () =>
    paying.explainLead(await lead(paying, { customer_key: unique('c'), click_id: await click(paying) })),
  lead_settled_in_browser: async () => {
    const program = await givenExplained(service, TEN_PERCENT, { leadAuth: 'browser_allowed' })
    const click_id = await click(program)
    await browserLead(service, { click_id, customer_key: 'by-browser' })
    return program.why('customer_key', 'by-browser')
  },
  lead_settled_by_payment: async () => {
    const settled = await paying.payment({ customer_key: unique('c'), click_id: await click(paying) })
    return paying.explainLead('leadId' in settled ? settled.leadId : 0)
  },
  second_customer: async () => {
    const click_id = await click(salesOnly)
    await lead(salesOnly, { customer_key: unique('c'), click_id })
    return salesOnly.explainLead(await lead(salesOnly, { customer_key: unique('c'), click_id }))
  },
  lead_provisional: async () => {
    const click_id = await click(paying)
    await browserLead(service, { click_id, customer_key: 'x' })
    return paying.why('click_id', click_id)
  },
  lead_settled_by_code: async () => {
    const promotion_code = await givenCode()
    return paying.explainLead(await lead(paying, { customer_key: unique('c'), promotion_code }))
  },
  code_used: async () => paying.explainSale(await soldWithCode(await givenCode())),
  code_unknown: async () => paying.explainSale(await soldWithCode('NOBODY')),
  code_disabled: async () => {
    const code = await givenCode()
    await service.pool.query('UPDATE promotion_code_periods SET ends_at = $1 WHERE program_id = $2', [
      service.clock.now(),
      paying.id,
    ])
    service.clock.advance(1_000)
    return paying.explainSale(await soldWithCode(code))
  },
  // Events with IDs of codes are in codes/stripe.test.ts.
  code_pending: async () => {
    const reference = unique('pi')
    await salesOnly.tell([reference], paidWords(1_000), null, { codes: [{ id: 'stripe:promo_unknown' }] } as object)
    return salesOnly.why('invoice_id', reference)
  },
  partner_not_approved: async () => {
    const code = await givenCode()
    const status = (name: string) =>
      service.pool.query('UPDATE partners SET status = $1 WHERE program_id = $2', [name, paying.id])
    await status('pending')
    const answer = await paying.explainSale(await soldWithCode(code))
    await status('approved')
    return answer
  },
  existing_customer: async () => {
    const code = await givenCode()
    const customer_key = unique('c')
    await paying.sold({ customer_key })
    service.clock.advance(1_000)
    return paying.explainSale(await paying.sold({ customer_key, promotion_code: code }))
  },
  bound_customer: async () => salesOnly.explainSale((await givenSale(salesOnly)).id),
  valid_click: async () => salesOnly.explainSale(await salesOnly.sold({ click_id: await click(salesOnly) })),
  credited_late: async () => {
    const customer_key = unique('c')
    const click_id = await click(salesOnly)
    const id = await salesOnly.sold({ customer_key })
    await salesOnly.lead({ customer_key, click_id })
    return salesOnly.explainSale(id)
  },
  customer_unknown: async () => salesOnly.explainSale(await salesOnly.sold({ customer_key: 'unknown' })),
  click_not_found: async () => salesOnly.explainSale(await salesOnly.sold({ click_id: 'forged' })),
  click_expired: async () => {
    const click_id = await click(salesOnly)
    wait(61)
    return salesOnly.explainSale(await salesOnly.sold({ click_id }))
  },
  no_click_before_sale: async () => {
    const customer_key = unique('c')
    const id = await salesOnly.sold({ customer_key })
    wait(1)
    await salesOnly.lead({ customer_key, click_id: await click(salesOnly) })
    return salesOnly.explainSale(id)
  },
  commission_earned: async () => salesOnly.explainSale((await givenSale(salesOnly)).id),
  no_terms: async () => {
    const program = await givenExplained(service)
    await service.pool.query('DELETE FROM reward_terms WHERE program_id = $1', [program.id])
    return program.explainSale((await givenSale(program)).id)
  },
  no_reward_for_leads: async () =>
    salesOnly.explainLead(await lead(salesOnly, { customer_key: unique('c'), click_id: await click(salesOnly) })),
  lead_already_rewarded: async () => {
    const again = async () => ({ customer_key: 'erased-once', click_id: await click(leadsOnly) })
    await lead(leadsOnly, await again())
    await leadsOnly.owner.call('POST', `${leadsOnly.api}/customers/erase`, { customerKey: 'erased-once' })
    return leadsOnly.explainLead(await lead(leadsOnly, await again()))
  },
  no_reward_for_sales: async () => leadsOnly.explainSale((await givenSale(leadsOnly)).id),
  not_the_first_sale: async () => {
    const program = await givenExplained(service, { sale: { amountCents: 500, duration: 'first' } })
    const { customer_key } = await givenSale(program)
    return program.explainSale(await program.sold({ customer_key }))
  },
  reward_period_over: async () => {
    const program = await givenExplained(service, { sale: { amountCents: 500, duration: 'months', months: 1 } })
    const { customer_key } = await givenSale(program)
    wait(32)
    return program.explainSale(await program.sold({ customer_key }))
  },
  rounds_to_zero: async () => salesOnly.explainSale((await givenSale(salesOnly, { amount: 1 })).id),
  customer_is_partner: async () => {
    const { program, id } = await givenSelfReferral()
    return program.explainSale(id)
  },
  many_leads_from_one_visitor: async () => {
    const program = await givenExplained(service, { lead: { amountCents: 100 } })
    for (let index = 0; index < 5; index++) await program.customer()
    return program.explainLead(await lead(program, { customer_key: 'sixth', click_id: await click(program) }))
  },
  unverified_customer: async () => {
    const { program, id } = await givenSaleToUnverified()
    return program.explainSale(id)
  },
  customer_confirmed: async () => {
    const { program, customer, id } = await givenSaleToUnverified()
    await program.lead(customer)
    return program.explainSale(id)
  },
  refund_reversed_part: async () => {
    const { id, invoice_id } = await givenSale(salesOnly)
    await salesOnly.refund({ invoice_id, amount: 500 })
    return salesOnly.explainSale(id)
  },
  refund_reversed_all: async () => {
    const { id, invoice_id } = await givenSale(salesOnly)
    await salesOnly.refund({ invoice_id })
    return salesOnly.explainSale(id)
  },
  refund_before_credit: async () => {
    const [customer_key, invoice_id] = [unique('c'), unique('invoice')]
    const click_id = await click(salesOnly)
    const id = await salesOnly.sold({ customer_key, invoice_id })
    await salesOnly.refund({ invoice_id, amount: 400 })
    await salesOnly.lead({ customer_key, click_id })
    return salesOnly.explainSale(id)
  },
  refund_without_commission: async () => {
    const { id, invoice_id } = await givenSale(leadsOnly)
    await leadsOnly.refund({ invoice_id })
    return leadsOnly.explainSale(id)
  },
  refund_nothing_left: async () => {
    const { id, invoice_id } = await givenSale(salesOnly)
    await salesOnly.dispute(invoice_id, 'd', 'lost')
    await salesOnly.refund({ invoice_id })
    return salesOnly.explainSale(id)
  },
  dispute_opened: () => explainAfterDispute([['open', 'd']]),
  dispute_won: () => explainAfterDispute([['won', 'd']]),
  dispute_won_others_open: () =>
    explainAfterDispute([
      ['open', 'other'],
      ['won', 'd'],
    ]),
  dispute_lost: () => explainAfterDispute([['lost', 'd']]),
  dispute_without_commission: () => explainAfterDispute([['open', 'd']], leadsOnly),
  review_released: async () => {
    const { program, id, commission } = await givenSelfReferral()
    expect((await program.review(commission, 'released')).status).toBe(200)
    return program.explainSale(id)
  },
  review_rejected: async () => {
    const { program, id, commission } = await givenSelfReferral()
    expect((await program.review(commission, 'rejected')).status).toBe(200)
    return program.explainSale(id)
  },
  partner_suspended: async () => {
    const program = await givenExplained(service)
    const customer_key = await program.customer()
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { status: 'suspended' })
    return program.explainSale(await program.sold({ customer_key }))
  },
  commission_voided: async () => {
    const program = await givenExplained(service)
    const { id } = await givenSale(program)
    expect((await program.void((await program.commissions())[0].id, 'a test order')).status).toBe(200)
    return program.explainSale(id)
  },
  void_undone: async () => {
    const program = await givenExplained(service)
    const { id } = await givenSale(program)
    await program.void((await program.commissions())[0].id, 'a test order')
    await program.undoAdjustment()
    return program.explainSale(id)
  },
  credited_by_hand: async () => {
    const program = await givenExplained(service)
    const id = await program.sold({ customer_key: unique('stranger') })
    await program.adjust({ type: 'credit', saleId: id, partnerId: program.rival.partnerId })
    return program.explainSale(id)
  },
  moved_by_hand: async () => {
    const program = await givenExplained(service)
    const { id } = await givenSale(program)
    await program.adjust({ type: 'move', saleId: id, partnerId: program.rival.partnerId })
    return program.explainSale(id)
  },
  adjustment_undone: async () => {
    const program = await givenExplained(service)
    const { id } = await givenSale(program)
    await program.adjust({ type: 'move', saleId: id, partnerId: program.rival.partnerId })
    await program.undoAdjustment()
    return program.explainSale(id)
  },
  payment_recorded: () => explainReported([paidWords(1_000), true]),
  payment_pending: () => explainReported([{ kind: 'pending' }, true]),
  payment_settled: () => explainReported([{ kind: 'pending' }, true], [paidWords(1_000)]),
  payment_failed: () => explainReported([{ kind: 'failed' }, true]),
  nothing_paid: () => explainReported([paidWords(0), true]),
  no_metadata: () => explainReported([paidWords(1_000)]),
  program_of_others: async () => {
    const attribution = { programId: paying.id, customerKey: 'customer-1', clickId: null }
    await salesOnly.tell(['pi-of-others'], paidWords(1_000), attribution)
    return salesOnly.why('invoice_id', 'pi-of-others')
  },
  sale_in_other_program: async () => {
    const other = await givenExplained(service)
    await service.pool.query('UPDATE programs SET workspace_id = $1 WHERE id = $2', [salesOnly.workspaceId, other.id])
    const attribution = { programId: other.id, customerKey: 'customer-1', clickId: await click(other) }
    await salesOnly.tell(['pi-elsewhere'], paidWords(1_000), attribution)
    return salesOnly.why('invoice_id', 'pi-elsewhere')
  },
  sale_other_currency: async () => {
    const { invoice_id, customer_key } = await givenSale(salesOnly)
    const attribution = { programId: salesOnly.id, customerKey: customer_key, clickId: null }
    await salesOnly.tell([invoice_id], paidWords(1_000, { currency: 'EUR' }), attribution)
    return salesOnly.why('invoice_id', invoice_id)
  },
  references_joined: () => explainReported([SAME_PAYMENT]),
  refund_recorded: () => explainReported([paidWords(1_000), true], [refundWords()]),
  refund_failed: () => explainReported([paidWords(1_000), true], [refundWords({ state: 'failed' })]),
  never_taken: () => explainReported([paidWords(1_000), true, 500], [refundWords()]),
  refund_before_sale: () => explainReported([refundWords()]),
  refund_other_currency: () => explainReported([paidWords(1_000), true], [refundWords({ currency: 'EUR' })]),
  dispute_recorded: () => explainReported([paidWords(1_000), true], [openDispute]),
  dispute_before_sale: () => explainReported([openDispute]),
  amount_corrected: () =>
    explainReported([paidWords(1_190), true], [paidWords(1_190, { netCents: 1_000, source: 'invoice' })]),
  refund_undone: () => explainReported([paidWords(1_000), true], [refundWords()], [refundWords({ state: 'failed' })]),
  merged_into_another_sale: async () => {
    const [one, other] = [await givenSale(salesOnly), await givenSale(salesOnly)]
    await salesOnly.tell([one.invoice_id, other.invoice_id], SAME_PAYMENT)
    return salesOnly.explainSale(other.id)
  },
  invoice_never_received: () => paying.why('invoice_id', 'never-sent'),
  invoice_only_as_test: async () => {
    await paying.sale({ invoice_id: 'tried-out', additional_data: { test_mode: true } })
    return paying.why('invoice_id', 'tried-out')
  },
  customer_never_seen: () => paying.why('customer_key', 'never-sent'),
  customer_only_as_test: async () => {
    await paying.lead({ customer_key: 'tried-out', additional_data: { test_mode: true } })
    return paying.why('customer_key', 'tried-out')
  },
  click_never_seen: () => paying.why('click_id', 'forged'),
  click_without_lead: async () => paying.why('click_id', await click(paying)),
  click_expired_without_lead: async () => {
    const click_id = await click(paying)
    wait(61)
    return paying.why('click_id', click_id)
  },
}

/** Where the sentence says more than the reason: who it was, or how much. */
const IN_A_SENTENCE: Partial<Record<ReasonCode, string>> = {
  lead_settled: 'because your server sent the lead with the ID of a click from the last 60 days.',
  lead_settled_in_browser:
    'because the browser sent the lead with a click from the last 60 days, and the program accepts browser leads.',
  lead_settled_by_payment:
    'because the payment processor reported a payment by this customer with the ID of a click from the last 60 days.',
  valid_click: 'because the sale was sent with the ID of a click from the last 60 days.',
  bound_customer: ' was credited to Maya, who referred this customer. The customer’s later sales stay with Maya.',
  commission_earned: '(10% of $10.00) under the program’s default terms (version 1), payable from ',
  partner_suspended: 'which went to review because the partner was suspended.',
  review_released: 'Sam Reed approved the commission: “reviewed”.',
  review_rejected: 'Sam Reed rejected the commission: “reviewed”.',
  commission_voided: 'Sam Reed voided the commission: “a test order”.',
  void_undone: 'Sam Reed restored the voided commission: “a mistake”.',
  credited_by_hand: 'Sam Reed credited the sale manually: “asked by mail”. Ben earns a commission of $1.00 for it',
  moved_by_hand: 'Sam Reed moved the sale from Maya to Ben: “asked by mail”. Ben earns a commission of $1.00 for it',
  adjustment_undone: 'Sam Reed undid the adjustment of the sale: “a mistake”. The sale is credited to Maya again.',
}

describe('every reason can occur and is explained:', () => {
  for (const code of Object.keys(REASONS) as ReasonCode[])
    test(code, async () => {
      const { reason, timeline, sentences } = await SCENARIOS[code]()
      expect([reason, ...timeline.map((entry) => entry.reason)]).toContain(code)
      const text = sentences.join(' ').toLowerCase()
      expect(text).toContain((IN_A_SENTENCE[code] ?? REASONS[code]).toLowerCase())
      if (ADVICE[code]) expect(sentences).toContain(ADVICE[code])
    })
})

test('every decision made here comes out the same when its facts are fed back into the rule', async () => {
  expect(await expectEveryDecisionAgain(service.db)).toBeGreaterThan(80)
})

test('a customer key that arrived only in a test sale is reported as such', async () => {
  await paying.sale({ customer_key: 'tried-by-sale', invoice_id: 'tried', additional_data: { test_mode: true } })
  expect((await paying.why('customer_key', 'tried-by-sale')).reason).toBe('customer_only_as_test')
})
