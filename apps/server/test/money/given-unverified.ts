import { expect } from 'bun:test'
import { sealAll } from '../../src/money/ledger/seal.ts'
import type { ReportBody } from '../../src/payments/payment-report.ts'
import { type ExplainedProgram, givenExplained, TEN_PERCENT } from '../explain/given-explained.ts'
import { browserLead, givenClick, unique } from '../support/given.ts'
import type { TestService } from '../support/service.ts'
import { verifyProgram } from '../support/verify-program.ts'

/** A `browser_allowed` program, a customer key, and the click that a browser names with it. */
export const givenUnverified = async (
  service: TestService,
  reward: object | null = TEN_PERCENT,
  settings: Parameters<typeof givenExplained>[2] = {},
) => {
  const program = await givenExplained(service, reward, { leadAuth: 'browser_allowed', ...settings })
  const click_id = await givenClick(service, program.link)
  const another_click_id = await givenClick(service, program.link)
  service.clock.advance(1_000)
  const customer_key = unique('customer')
  return {
    ...program,
    customer_key,
    click_id,
    another_click_id,
    signUp: () => browserLead(service, { click_id, customer_key }),
    confirm: () => program.lead({ click_id, customer_key }),
    buy: (more: object = {}) =>
      program.sale({ customer_key, amount: 10_000, invoice_id: unique('invoice'), ...more }).then(({ body }) => body),
    states: async () =>
      (await program.commissions()).map((row: { state: string; reviewReason: string | null }) => [
        row.state,
        row.reviewReason,
      ]),
  }
}
export type GivenUnverified = Awaited<ReturnType<typeof givenUnverified>>

export const PAID: Extract<ReportBody, { kind: 'paid' }> = {
  kind: 'paid',
  grossCents: 10_000,
  netCents: null,
  currency: 'USD',
  source: 'payment',
  subscriptionId: null,
}

export const expectVerified = async (service: TestService, { id: programId }: Pick<ExplainedProgram, 'id'>) => {
  await sealAll(service.db, service.clock.now())
  expect((await verifyProgram(service.db, { programId, sealedBefore: null })).differences).toEqual([])
}

export const IN_REVIEW = ['review', 'unverified_customer']
