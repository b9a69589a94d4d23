import { expect } from 'bun:test'
import { adjustment } from '@tributary/contract'
import { verifyPayments } from '../../src/tracking/payments/verify-payments.ts'
import { givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { recordDispute } from '../support/record-dispute.ts'
import type { TestService } from '../support/service.ts'
import { verifyProgram } from '../support/verify-program.ts'

export const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** A program with a second partner, Ben, and calls that adjust its money. */
export const givenAdjusted = async (service: TestService, reward: object = TEN_PERCENT) => {
  const program = await givenPayingProgram(service, reward)
  const ben = await givenLink(service, program.id)
  const adjustments = `${program.api}/adjustments`
  const call = (body: object, path = '') =>
    program.owner.call('POST', adjustments + path, { reason: 'Asked by mail', ...body })
  return {
    ...program,
    ben,
    adjustments,
    call,
    /** Makes an adjustment and returns it. */
    adjust: async (body: object) => {
      const answer = await call(body)
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 201, error: undefined })
      return adjustment.parse(answer.body.data)
    },
    undo: (id: number, reason: unknown = 'A mistake') =>
      program.owner.call('POST', `${adjustments}/${id}/reverse`, { reason }),
    soldByPartner: (amount = 1_000) => givenSale(program, amount),
    /** A sale of a customer without a lead. */
    soldByNoOne: async (amount = 1_000, customer_key = unique('stranger')) => {
      const invoice_id = unique('invoice')
      const { body } = await program.sale({ customer_key, amount, invoice_id })
      expect(body).toMatchObject({ attributed: false })
      return { customer_key, invoice_id, sale_id: body.sale_id as number }
    },
    dispute: (invoiceId: string, status: 'open' | 'won' | 'lost') =>
      recordDispute(
        { db: service.db, clock: service.clock.now },
        { programId: program.id, invoiceId, disputeId: 'd-1', status },
      ),
    /** What each of the two partners is owed now: held, in review, in dispute, and payable. */
    owed: async () => {
      const of = async (partnerId: number) => {
        const row = await program.balance(partnerId)
        return row ? row.payableCents + row.heldCents + row.reviewCents + row.disputedCents : 0
      }
      return [await of(program.link.partnerId), await of(ben.partnerId)]
    },
    /** What `npm run ledger:verify` finds. */
    differences: async () =>
      (await verifyProgram(service.db, { programId: program.id, sealedBefore: null, furtherChecks: [verifyPayments] }))
        .differences,
    saleRow: async (id: number) => (await program.owner.call('GET', `${program.api}/sales/${id}`)).body.data,
    explainSale: async (id: number) =>
      (await program.owner.call('GET', `${program.api}/sales/${id}/explain`)).body.data,
  }
}
export type Adjusted = Awaited<ReturnType<typeof givenAdjusted>>
