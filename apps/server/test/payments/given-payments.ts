import type { Database } from '../../src/database/connect.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import type { PaymentReport, ReportBody } from '../../src/payments/payment-report.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { syncPayment } from '../../src/tracking/payments/sync-payments.ts'
import { givenLedger, givenMoney, type Ledger, type Money, type Reward } from '../money/given-money.ts'
import { unique } from '../support/given.ts'
import { recordPaymentReport } from '../support/record-payment-report.ts'
import { SECRETS } from '../support/service.ts'

export { givenLedger, type Ledger }

type ReportFields = Partial<Omit<PaymentReport, 'says' | 'references'>>

/** A program with a connected processor: every report is processed in its own transaction. */
export const givenPayments = async (ledger: Ledger, reward?: Partial<Reward>, partners = 1) => {
  const money = await givenMoney(ledger, reward, partners)
  const inboxProgram = await findProgram(ledger.db, money.programId)
  if (!inboxProgram) throw new Error('the program does not exist')
  const dependencies = { clock: money.clock.now, hashKey: SECRETS.hashKey }
  const receive = (report: PaymentReport, db: Database = ledger.db) =>
    inTransaction(db, (tx) => recordPaymentReport(tx, dependencies, { inboxProgram, report }))
  const sales = () =>
    ledger.owner.selectFrom('sales').selectAll().where('programId', '=', inboxProgram.id).orderBy('id').execute()
  return {
    ...money,
    inboxProgram,
    receive,
    report: (references: [string, ...string[]], says: ReportBody, fields: ReportFields = {}) =>
      receive({ references, says, at: money.clock.now(), attribution: null, ...fields }),
    /** A customer who has clicked, and the metadata that their checkout carries. */
    attribution: async (partner = 0) => ({
      programId: inboxProgram.id,
      customerKey: unique('customer'),
      clickId: await money.click(partner),
    }),
    follow: (paymentId: number) =>
      inTransaction(ledger.db, (tx) => syncPayment(tx, dependencies, { inboxProgram, paymentId })),
    sales,
    liveSales: async () => (await sales()).filter(({ voidedAt }) => voidedAt === null),
    leads: () =>
      ledger.owner.selectFrom('leads').selectAll().where('programId', '=', inboxProgram.id).orderBy('id').execute(),
    decisions: () =>
      ledger.owner
        .selectFrom('paymentReports')
        .select(['report', 'fate as outcome', 'reason'])
        .where('programId', '=', inboxProgram.id)
        .orderBy('id')
        .execute(),
    commissions: () =>
      ledger.owner
        .selectFrom('commissions')
        .selectAll()
        .where('programId', '=', inboxProgram.id)
        .where('kind', '=', 'sale')
        .orderBy('id')
        .execute(),
  }
}
/** Two programs of one workspace: the first receives all processor reports. */
export const givenTwoPrograms = async (ledger: Ledger, reward?: Partial<Reward>) => {
  const inbox = await givenPayments(ledger, reward)
  const other = await givenPayments(ledger, reward)
  const { workspaceId } = inbox.inboxProgram
  await ledger.pool.query('UPDATE programs SET workspace_id = $1 WHERE id = $2', [workspaceId, other.programId])
  await ledger.pool.query('INSERT INTO processor_home_programs (workspace_id, program_id) VALUES ($1, $2)', [
    workspaceId,
    inbox.programId,
  ])
  other.program.workspaceId = workspaceId
  // The two clocks start one after the other, and reports to the inbox program must come after events in the other program.
  inbox.clock.advance(61_000)
  other.clock.advance(60_000)
  return { inbox, other }
}

export type Payments = Awaited<ReturnType<typeof givenPayments>> & Money

export const paid = (grossCents: number, more: Partial<Extract<ReportBody, { kind: 'paid' }>> = {}): ReportBody => ({
  kind: 'paid',
  grossCents,
  netCents: null,
  currency: 'USD',
  source: 'payment',
  subscriptionId: null,
  ...more,
})
