import { findCustomerByKey } from '../../customers/customers.ts'
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

type Named = { programId: number; customerKey: string | null; clickId: string | null }

/** The click of the customer's record, because one report may name the key and the other a click. */
const recordOf = async (tx: Tx, { programId, customerKey, clickId }: Named) => {
  const known = customerKey === null ? undefined : await findCustomerByKey(tx, { programId, customerKey })
  return known?.unverifiedSince === null ? known.clickId : clickId
}

const isSameCustomer = async (tx: Tx, one: Named, other: Named) => {
  if (one.customerKey !== null && other.customerKey !== null) return one.customerKey === other.customerKey
  const record = await recordOf(tx, one)
  return record !== null && record === (await recordOf(tx, other))
}

/**
 * Whether a payment whose metadata states the sale's `invoice_id` is this sale. Buyers can write the metadata of many checkouts, and
 * the next `invoice_id` is often easy to guess: so both must name the same customer, or the payment no one and the same amount.
 */
const isOfSale = async (tx: Tx, { attribution, clickReference, says }: PaymentReport, sale: MerchantSale) => {
  const { programId } = sale
  if (attribution && attribution.programId !== programId) return false
  const { customerKey = null, clickId = clickReference ?? null } = attribution ?? {}
  if (customerKey !== null || clickId !== null) return isSameCustomer(tx, { programId, customerKey, clickId }, sale)
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
    for (const sale of await findSalesOfWorkspace(tx, { programId, invoiceId: claim.reference }))
      if (sale.reportedBy === 'merchant' && (await isOfSale(tx, report, sale)))
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
    const paymentId = await findStatingPayment(tx, { ...claim, inboxProgramId: programId, invoiceId })
    if (paymentId === null) return null
    const [locked] = await lockPayments(tx, { programId, paymentIds: [paymentId] })
    // If it was merged while we waited, its reports now belong to the other payment: look again.
    if (locked === undefined) continue
    await addReference(tx, { ...reference, paymentId })
    return { inboxProgramId: programId, paymentId }
  }
}

type StatedSale = Omit<MerchantSale, 'programId'> &
  Pick<InvoiceClaim, 'program'> & { inboxProgramId: number; invoiceId: string }

const findStatingPayment = async (tx: Tx, { inboxProgramId, invoiceId, program, ...sale }: StatedSale) => {
  for (const { paymentId, report } of await listStatingReports(tx, { programId: inboxProgramId, invoiceId }))
    if (await isOfSale(tx, report, { ...sale, programId: program.id })) return paymentId
  return null
}
