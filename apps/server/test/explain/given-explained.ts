import { expect } from 'bun:test'
import { type Explanation, explanation } from '@tributary/contract'
import { inTransaction } from '../../src/database/transaction.ts'
import type { PaymentReport, ReportBody } from '../../src/payments/payment-report.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { recordLead } from '../../src/tracking/leads/record-lead.ts'
import { givenLink, type TestLink, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { recordDispute } from '../support/record-dispute.ts'
import { recordPaymentReport } from '../support/record-payment-report.ts'
import { inSeparateTransactions } from '../support/separate-transactions.ts'
import { SECRETS, type TestService } from '../support/service.ts'

export const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** A program with reward terms and two named partners, and calls to explain its events. */
export const givenExplained = async (
  service: TestService,
  reward: object | null = TEN_PERCENT,
  settings: Parameters<typeof givenPayingProgram>[2] = {},
) => {
  const program = await givenPayingProgram(service, reward, settings)
  const rival = await givenLink(service, program.id)
  await nameOf(service, program.link, 'Maya')
  await nameOf(service, rival, 'Ben')
  const get = async (path: string): Promise<Explanation> => {
    const { status, body } = await program.owner.call('GET', `${program.api}${path}`)
    expect({ path, status }).toEqual({ path, status: 200 })
    return explanation.parse(body.data)
  }
  return {
    ...program,
    rival,
    get,
    explainSale: (id: number, query = '') => get(`/sales/${id}/explain${query}`),
    explainLead: (id: number, query = '') => get(`/leads/${id}/explain${query}`),
    why: (field: string, value: string, query = '') => get(`/explain?${field}=${encodeURIComponent(value)}${query}`),
    adjust: async (body: object) => {
      const { status } = await program.owner.call('POST', `${program.api}/adjustments`, {
        reason: 'asked by mail',
        ...body,
      })
      expect(status).toBe(201)
    },
    /** Undoes the latest adjustment. */
    undoAdjustment: async () => {
      const [{ id }] = (await program.owner.call('GET', `${program.api}/adjustments`)).body.data
      const undo = `${program.api}/adjustments/${id}/reverse`
      expect((await program.owner.call('POST', undo, { reason: 'a mistake' })).status).toBe(200)
    },
    /** Sends a sale and returns its ID. */
    sold: async (body: object): Promise<number> => {
      const answer = await program.sale({ amount: 1_000, invoice_id: unique('invoice'), ...body })
      expect(answer.status).toBe(200)
      return answer.body.sale_id
    },
    dispute: (invoiceId: string, disputeId: string, status: 'open' | 'won' | 'lost') =>
      recordDispute(
        { db: service.db, clock: service.clock.now },
        { programId: program.id, invoiceId, disputeId, status },
      ),
    payment: async (request: { customer_key: string; click_id: string }) => {
      const found = await findProgram(service.db, program.id)
      if (!found) throw new Error('no program')
      return recordLead(
        {
          db: service.db,
          batches: inSeparateTransactions(service.db, { clock: service.clock.now, hashKey: SECRETS.hashKey }),
        },
        { program: found, event: 'processor_payment', request: { ...request, email: null } },
      )
    },
    /** Records a report of the payment processor. */
    tell: async (
      references: [string, ...string[]],
      says: ReportBody,
      attribution: PaymentReport['attribution'] = null,
      more: Partial<Pick<PaymentReport, 'neverTakenCents' | 'at'>> = {},
    ) => {
      const inboxProgram = await findProgram(service.db, program.id)
      if (!inboxProgram) throw new Error('no program')
      const report = { references, says, attribution, at: service.clock.now(), ...more }
      const dependencies = { clock: service.clock.now, hashKey: SECRETS.hashKey }
      return inTransaction(service.db, (tx) => recordPaymentReport(tx, dependencies, { inboxProgram, report }))
    },
    review: (commissionId: number, decision: 'released' | 'rejected', reason = 'reviewed') =>
      program.owner.call('POST', `${program.api}/commissions/${commissionId}/review`, { decision, reason }),
    void: (commissionId: number, reason: string) =>
      program.owner.call('POST', `${program.api}/commissions/${commissionId}/void`, { reason }),
  }
}
export type ExplainedProgram = Awaited<ReturnType<typeof givenExplained>>

export const nameOf = ({ db }: TestService, link: TestLink, name: string, email: string | null = null) =>
  db.updateTable('partners').set({ name, email }).where('id', '=', link.partnerId).execute()
