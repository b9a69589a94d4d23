import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { bookedCommissions } from '../../money/commissions/commissions.ts'
import { refundedShare } from '../../money/rewards/rewards.ts'
import { verifyLedger } from '../../money/verify/verify-ledger.ts'
import { foldReports } from '../../payments/fold-reports.ts'
import { type KeptReport, listReports } from '../../payments/payment-reports.ts'
import { listPayments } from '../../payments/payments.ts'
import { programsBeside } from '../../payments/workspace.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { boundTo, salesOfPayment } from './load-candidates.ts'
import { isOfAnotherCustomer } from './plan-sale.ts'

const AT_ONCE = 1_000

type OfProgram = { programId: number; found: (difference: string) => void }

/** Folds the reports of every payment again and compares what they come to with the sale. */
export const verifyFollowed = async (tx: Tx, { programId, found }: OfProgram) => {
  const programIds = await programsBeside(tx, programId)
  const isOwn = (named: number | undefined) => named !== undefined && programIds.includes(named)
  for (let after = 0; ; ) {
    const payments = await listPayments(tx, { programId, after, limit: AT_ONCE })
    for (const { id: paymentId } of payments) {
      const reports = await listReports(tx, { programId, paymentId })
      const [sale] = await salesOfPayment(tx, { programId, paymentId })
      const refunded = sale ? await processorRefundOf(tx, sale) : 0
      for (const difference of differencesOf({ isOwn, reports, sale, refunded }))
        found(`payment ${paymentId} ${difference}`)
      if (sale && (await isMadeForAnother(tx, { reports, sale })))
        found(`payment ${paymentId} names another customer than sale ${sale.id} was made for`)
    }
    if (payments.length < AT_ONCE) return
    after = payments.at(-1)?.id ?? after
  }
}

type Followed = {
  isOwn: (programId: number | undefined) => boolean
  reports: KeptReport[]
  sale: Sale | undefined
  refunded: number
}

const differencesOf = ({ isOwn, reports, sale, refunded }: Followed): string[] => {
  const state = foldReports(
    reports.map(({ report }) => report),
    sale?.currency,
  )
  const { paid, attribution, refundedGrossCents } = state
  if (!sale) return paid && isOwn(attribution?.programId) ? ['was made for somebody and has no sale'] : []
  // Names that were claimed here for a payment that another program hears of: that program compares.
  if (reports.length === 0) return []
  const differences: string[] = []
  const isTheirs = attribution?.programId === sale.programId && paid?.currency === sale.currency
  if (paid && isTheirs && paid.netCents !== sale.amountCents)
    differences.push(`came to ${paid.netCents} and sale ${sale.id} says ${sale.amountCents}`)
  const expected = refundedShare(sale.amountCents, refundedGrossCents, paid?.grossCents ?? sale.amountCents)
  if (expected !== refunded) differences.push(`has ${expected} refunded and sale ${sale.id} says ${refunded}`)
  return differences
}

const isMadeForAnother = async (tx: Tx, { reports, sale }: { reports: KeptReport[]; sale: Sale }) => {
  const { paid, attribution } = foldReports(reports.map(({ report }) => report))
  if (!paid || attribution?.programId !== sale.programId) return false
  const payment = { paid, attribution }
  if (!isOfAnotherCustomer(sale, payment, await boundTo(tx, sale, payment))) return false
  const [commission] = await bookedCommissions(tx, [sale])
  return !commission?.hasMetPayout
}

const processorRefundOf = async (tx: Tx, { programId, id: saleId }: Sale) => {
  const row = await tx
    .selectFrom('processorRefunds')
    .select('refundedCents')
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .executeTakeFirst()
  return row?.refundedCents ?? 0
}

type Verifying = Omit<Parameters<typeof verifyLedger>[1], 'also'>

/** Everything that `npm run ledger:verify` compares: the books, and the payments behind them. */
export const verifyEverything = (db: Database, verifying: Verifying) =>
  verifyLedger(db, { ...verifying, also: [verifyFollowed] })
