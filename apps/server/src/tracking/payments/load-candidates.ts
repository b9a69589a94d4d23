import { attributeSale } from '../../attribution/attribute-sale.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import { findCustomerByKey } from '../../customers/customers.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { isErasedKey } from '../../erased-key.ts'
import { wasClickedBetween } from '../../events/clicks-of-record.ts'
import { type BookedCommission, bookedCommissions } from '../../money/commissions/commissions.ts'
import { rewardOf } from '../../money/commissions/decide-commission.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { referencesOf } from '../../payments/payments.ts'
import { programsBeside } from '../../payments/workspace.ts'
import { findSales, type Sale } from '../../sales/find-sales.ts'
import { decideCredit, loadFactsForSale } from '../sales/create-sales.ts'
import { type Candidate, type CreditablePayment, isDecidedByKey, isOfAnotherCustomer } from './plan-sale.ts'

/** The sale of a payment, in whichever program of the workspace it was recorded. */
export const salesOfPayment = async (
  db: Database | Tx,
  { programId, paymentId }: { programId: number; paymentId: number },
) =>
  findSales(db, {
    programIds: await programsBeside(db, programId),
    invoiceIds: await referencesOf(db, { programId, paymentId }),
  })

/** Everything that decides which of these sales is the sale of the payment. */
export const loadCandidates = async (
  tx: Tx,
  sales: Sale[],
  payment: CreditablePayment | null,
): Promise<Candidate[]> => {
  const booked = await bookedCommissions(tx, sales)
  const candidates: Candidate[] = []
  for (const [place, sale] of sales.entries()) {
    const commission = booked[place]
    candidates.push({
      sale,
      hasCommission: commission !== undefined,
      isPaid: commission?.hasMetPayout ?? false,
      isOfAnotherCustomer: payment !== null && isOfAnotherCustomer(sale, payment, await boundTo(tx, sale, payment)),
      isDecidedDifferently: payment !== null && (await isDecidedDifferently(tx, sale, { payment, commission })),
    })
  }
  return candidates
}

/** The click that the customer whom the payment names is bound to; null where that decides nothing. */
export const boundTo = async (tx: Tx, sale: Sale, payment: Pick<CreditablePayment, 'paid' | 'attribution'>) => {
  const { programId, customerKey } = payment.attribution
  if (customerKey === null || !isDecidedByKey(sale, payment)) return null
  return (await findCustomerByKey(tx, { programId, customerKey }))?.clickId ?? null
}

type Recorded = { payment: CreditablePayment; commission: BookedCommission | undefined }

/** Asked only where the moment of the sale was corrected: whatever else has changed since is no reason to take a sale from anyone. */
const isDecidedDifferently = async (tx: Tx, sale: Sale, { payment, commission }: Recorded): Promise<boolean> => {
  if (sale.soldAt.getTime() === payment.paid.soldAt.getTime()) return false
  return (
    (await isCreditedDifferently(tx, sale, payment)) ||
    (await isTrustedDifferently(tx, sale, payment)) ||
    (commission !== undefined && (await isPaidInOtherCurrency(tx, sale, { payment, commission })))
  )
}

/** A click after the payment earns nothing, so a click between the two moments may have the sale wrongly, or lack it. */
const isCreditedDifferently = async (tx: Tx, sale: Sale, { program, paid, attribution }: CreditablePayment) => {
  const { programId, clickId, linkId, partnerId, soldAt, customerKey } = sale
  if (clickId === null || programId !== program.id || sale.currency !== paid.currency) return false
  if (isErasedKey(customerKey) || (attribution.customerKey === null && customerKey !== null)) return false
  if (!(await wasClickedBetween(tx, { programId, clickId, moments: [soldAt, paid.soldAt] }))) return false
  const { customer, facts } = await loadFactsForSale(tx, { program, ...attribution, soldAt: paid.soldAt })
  const credit = decideCredit(attributeSale(facts), customer)
  return 'reason' in credit || credit.linkId !== linkId || credit.partnerId !== partnerId
}

/** The key of a lead that a browser reported may be worth more or less at the right moment. */
const isTrustedDifferently = async (
  tx: Tx,
  { programId, clickId, customerKey, soldAt }: Sale,
  { paid }: CreditablePayment,
) => {
  if (clickId === null || customerKey === null) return false
  const known = await findCustomerByKey(tx, { programId, customerKey })
  return known?.clickId === clickId && trustInKey(known, soldAt) !== trustInKey(known, paid.soldAt)
}

/** Terms pay a share in the currency of the sale or an amount in their own, and each moment has its terms. */
const isPaidInOtherCurrency = async (
  tx: Tx,
  { programId, partnerId, currency }: Sale,
  { payment, commission }: { payment: CreditablePayment; commission: BookedCommission },
) => {
  const { soldAt, netCents: amountCents } = payment.paid
  const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
  const reward = rewardOf({ terms, event: { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: null } })
  return typeof reward !== 'string' && reward.currency !== commission.currency
}
