import { expect } from 'bun:test'
import { nameOf } from '../../../server/test/explain/given-explained.ts'
import { givenProcessor } from '../../../server/test/processor/given-processor.ts'
import { event, stripePayment } from '../../../server/test/processor/stripe-events.ts'
import { browserLead, givenClick, givenLink } from '../../../server/test/support/given.ts'
import { DAY_MS, type TestService } from '../../../server/test/support/service.ts'
import type { Account } from './service.ts'

const HELD_TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 30 }

/** Maya and Ben both referred the visitor. Maya's click was the last before the lead, so the sale is hers. */
export const givenScenario = async (service: TestService) => {
  const program = await givenProcessor(service, HELD_TEN_PERCENT)
  const rival = await givenLink(service, program.id)
  await nameOf(service, program.link, 'Maya Lindqvist')
  await nameOf(service, rival, 'Ben Okafor')

  const clickId = await givenClick(service, program.link, { page_url: 'https://shop.example/pricing' })
  const clickAgain = async (link: typeof rival, days: number) => {
    service.clock.advance(days * DAY_MS)
    await givenClick(service, link, { existing_click_id: clickId })
  }
  await clickAgain(rival, 3)
  await clickAgain(program.link, 2)
  service.clock.advance(DAY_MS / 24)
  const email = 'ada@customers.example'
  const lead = await program.lead({ customer_key: 'user_1', click_id: clickId, email })
  expect(lead.status).toBe(200)
  await clickAgain(rival, 1)
  service.clock.advance(DAY_MS)

  const sold = async (body: object): Promise<string> => {
    const response = await program.sale({ amount: 4_900, ...body })
    expect(response.status).toBe(200)
    return String(response.body.sale_id)
  }
  const saleId = await sold({ customer_key: 'user_1', invoice_id: 'INV-1' })
  expect((await program.refund({ invoice_id: 'INV-1', amount: 900, reason: 'Goodwill' })).status).toBe(200)
  const lostSaleId = await sold({ customer_key: 'a-stranger', invoice_id: 'INV-2' })
  await browserLead(service, { click_id: await givenClick(service, rival), customer_key: 'user_2' })

  const account: Account = { email: program.owner.email, password: 'a long password' }
  const { body } = await program.owner.call('GET', `${program.api}/customers/${clickId}`)
  return {
    ...program,
    account,
    path: `/programs/${program.id}`,
    clickId,
    leadId: String(body.data.leadId),
    saleId,
    lostSaleId,
  }
}
export type Scenario = Awaited<ReturnType<typeof givenScenario>>

/** A payment that counts, one without metadata, and events that are not about payments. */
export const givenProcessorEvents = async (program: Scenario) => {
  const payment = await program.payment()
  const unidentified = stripePayment()
  const early = stripePayment()
  await program.send(
    payment.completed(),
    payment.chargeSucceeded(),
    payment.refund('refund.created', 're_1', { amount: 119, status: 'succeeded' }),
    unidentified.completed(),
    early.dispute('charge.dispute.created', 'needs_response'),
    event('2026', 'price.created', { id: 'price_1' }),
    (await program.payment({ livemode: false })).completed(),
  )
  return { payment, unidentified }
}
