import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { verifyRollUps } from '../../events/roll-up/verify-roll-ups.ts'
import { type BookedCommission, findBookedCommissions } from '../../money/commissions/commissions.ts'
import { netRefundCents } from '../../money/rewards/rewards.ts'
import { verifyLedger } from '../../money/verify/verify-ledger.ts'
import { foldReports, type PaymentState } from '../../payments/fold-reports.ts'
import { listReports, type StoredReport } from '../../payments/payment-reports.ts'
import { listPayments } from '../../payments/payments.ts'
import { listWorkspacePrograms } from '../../payments/workspace-programs.ts'
import { findProgram } from '../../programs/programs.ts'
import { findSalesOfPayment, type Sale } from '../../sales/find-sales.ts'
import { findBoundClick } from './load-candidates.ts'
import { isForAnotherCustomer } from './plan-sale.ts'
import { resolvePayers } from './resolve-payers.ts'

const BATCH = 1_000

type Check = { programId: number; found: (difference: string) => void }

/** Folds the reports of every payment again and compares the result with its sale. */
export const verifyPayments = async (tx: Tx, { programId, found }: Check) => {
  const programIds = await listWorkspacePrograms(tx, programId)
  const inboxProgram = await findProgram(tx, programId)
  if (!inboxProgram) throw new Error('the program does not exist')
  const isInWorkspace = (named: number | undefined) => named !== undefined && programIds.includes(named)
  for (let after = 0; ; ) {
    const payments = await listPayments(tx, { programId, after, limit: BATCH })
    for (const { id: paymentId } of payments) {
      const reports = await listReports(tx, { programId, paymentId })
      const [sale] = await findSalesOfPayment(tx, { programId, paymentId })
      const refunded = sale ? await findProcessorRefund(tx, sale) : 0
      const payment = { inboxProgram, state: foldReports(toReceived(reports), sale?.currency) }
      await resolvePayers(tx, [payment])
      const { state } = payment
      for (const difference of compare({ isInWorkspace, reports, state, sale, refunded }))
        found(`payment ${paymentId} ${difference}`)
      if (sale && (await isRecordedForAnother(tx, { state, sale })))
        found(`payment ${paymentId} names a different customer than sale ${sale.id}`)
    }
    if (payments.length < BATCH) return
    after = payments.at(-1)?.id ?? after
  }
}

const toReceived = (reports: StoredReport[]) => reports.map(({ report }) => report)

type PaymentFacts = {
  isInWorkspace: (programId: number | undefined) => boolean
  reports: StoredReport[]
  state: PaymentState
  sale: Sale | undefined
  refunded: number
}

const compare = ({ isInWorkspace, reports, state, sale, refunded }: PaymentFacts): string[] => {
  const { paid, attribution, refundedGrossCents } = state
  if (!sale) return paid && isInWorkspace(attribution?.programId) ? ['names a customer but has no sale'] : []
  // The references were claimed here for a payment of another program, which verifies it.
  if (reports.length === 0) return []
  const differences: string[] = []
  const isComparable = attribution?.programId === sale.programId && paid?.currency === sale.currency
  if (paid && isComparable && paid.netCents !== sale.amountCents)
    differences.push(`has amount ${paid.netCents}, but sale ${sale.id} has ${sale.amountCents}`)
  const grossCents = paid?.grossCents ?? sale.grossCents ?? sale.amountCents
  const expected = netRefundCents(sale.amountCents, refundedGrossCents, grossCents)
  if (expected !== refunded) differences.push(`has ${expected} refunded, but sale ${sale.id} has ${refunded}`)
  return differences
}

const isRecordedForAnother = async (tx: Tx, { state, sale }: { state: PaymentState; sale: Sale }) => {
  const { paid, attribution } = state
  if (!paid || attribution?.programId !== sale.programId) return false
  const payment = { paid, attribution }
  if (!isForAnotherCustomer(sale, payment, await findBoundClick(tx, sale, payment))) return false
  const found: { programId: number; id: number; booked?: BookedCommission | undefined } = { ...sale }
  await findBookedCommissions(tx, [found])
  return !found.booked?.hasBeenInPayout
}

const findProcessorRefund = async (tx: Tx, { programId, id: saleId }: Sale) => {
  const row = await tx
    .selectFrom('processorRefunds')
    .select('refundedCents')
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .executeTakeFirst()
  return row?.refundedCents ?? 0
}

type Options = Omit<Parameters<typeof verifyLedger>[1], 'furtherChecks'>

/** Runs all checks of `npm run ledger:verify`: the ledger, the roll-ups and the payments. */
export const verifyEverything = (db: Database, options: Options) =>
  verifyLedger(db, { ...options, furtherChecks: [verifyRollUps, verifyPayments] })
