import type { Tx } from '../../database/transaction.ts'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { listStatingReports } from '../../payments/payment-reports.ts'
import { addReference, claimStatedInvoices, type InvoiceClaim, lockPayments } from '../../payments/payments.ts'
import { findSalesOfWorkspace } from '../../sales/find-sales.ts'

/** A sale as the merchant reported it. */
type MerchantSale = {
  programId: number
  customerKey: string | null
  clickId: string | null
  amountCents: number
  grossCents?: number | null | undefined
  currency: string
}

/**
 * Whether a payment whose metadata states the sale's `invoice_id` is this sale. Buyers can write the metadata of many checkouts, and
 * the next `invoice_id` is often easy to guess: so both must name the same customer, or the payment no one and the same amount.
 */
const isOfSale = ({ attribution, clickReference, says }: PaymentReport, sale: MerchantSale) => {
  if (attribution && attribution.programId !== sale.programId) return false
  const { customerKey = null, clickId = clickReference ?? null } = attribution ?? {}
  if (customerKey !== null && sale.customerKey !== null) return customerKey === sale.customerKey
  if (customerKey !== null || clickId !== null) return clickId !== null && clickId === sale.clickId
  if (says.kind !== 'paid' || says.currency !== sale.currency) return false
  return [sale.amountCents, sale.grossCents].some((cents) => cents === says.grossCents || cents === says.netCents)
}

type Stating = { programId: number; paymentId: number; report: PaymentReport }
type Claimed = Awaited<ReturnType<typeof claimStatedInvoices>>

/** Claims what reports state, before their payments are locked. */
export const claimInvoicesOf = (tx: Tx, reports: { programId: number; report: PaymentReport }[]): Promise<Claimed> =>
  claimStatedInvoices(
    tx,
    reports.flatMap(({ programId, report: { invoiceId: reference } }) => (reference ? [{ programId, reference }] : [])),
  )

/** Joins payments with the merchant's sales that their metadata states. It never joins two payments. */
export const joinStatedSales = async (tx: Tx, reports: Stating[], claimed: Claimed) => {
  for (const { programId, paymentId, report } of reports) {
    const { invoiceId: reference } = report
    const claim = claimed.find((one) => one.programId === programId && one.reference === reference)
    if (!claim || claim.paymentId !== undefined) continue
    const sales = await findSalesOfWorkspace(tx, { programId, invoiceId: claim.reference })
    if (sales.some((sale) => sale.reportedBy === 'merchant' && isOfSale(report, sale)))
      await addReference(tx, { ...claim, paymentId })
  }
}

/** The payment whose metadata states the `invoice_id` of a sale that the merchant reports, locked and joined. */
export const lockStatingPayment = async (
  tx: Tx,
  { invoiceId, inboxProgramId, ...claim }: Omit<MerchantSale, 'programId'> & InvoiceClaim,
): Promise<{ inboxProgramId: number; paymentId: number } | null> => {
  const programId = inboxProgramId ?? claim.program.id
  const reference = { programId, reference: invoiceId }
  for (;;) {
    const stating = await listStatingReports(tx, { programId, invoiceId })
    const found = stating.find(({ report }) => isOfSale(report, { ...claim, programId: claim.program.id }))
    if (!found) return null
    const { paymentId } = found
    const [locked] = await lockPayments(tx, { programId, paymentIds: [paymentId] })
    // If it was merged while we waited, its reports now belong to the other payment: look again.
    if (locked === undefined) continue
    await addReference(tx, { ...reference, paymentId })
    return { inboxProgramId: programId, paymentId }
  }
}
