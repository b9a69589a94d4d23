import { attributeSale } from '../../attribution/attribution.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import { findCustomerByKey } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { isErasedKey } from '../../erased-key.ts'
import { wasClickedBetween } from '../../events/clicks-of-record.ts'
import { type BookedCommission, findBookedCommissions } from '../../money/commissions/commissions.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { computeReward, currencyOfReward, hasRules } from '../../money/rewards/rewards.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { isUncredited } from '../../sales/sales.ts'
import { loadFactsForSale, toCredit } from '../sales/create-sales.ts'
import { type Candidate, type CreditablePayment, isDecidedByKey, isForAnotherCustomer } from './plan-sale.ts'

/** Loads everything that `planSale` needs to choose between these sales. */
export const loadCandidates = async (
  tx: Tx,
  hashKey: string,
  { sales, payment }: { sales: Sale[]; payment: CreditablePayment | null },
): Promise<Candidate[]> => {
  const booked = sales.map((sale): Booked => ({ programId: sale.programId, id: sale.id, sale }))
  await findBookedCommissions(tx, booked)
  const candidates: Candidate[] = []
  for (const { sale, booked: commission } of booked) {
    candidates.push({
      sale,
      hasCommission: typeof commission?.currency === 'string',
      isInPayout: commission?.hasBeenInPayout ?? false,
      isForAnotherCustomer:
        payment !== null && isForAnotherCustomer(sale, payment, await findBoundClick(tx, sale, payment)),
      isDecidedDifferently:
        payment !== null && (await isDecidedDifferently(tx, hashKey, { sale, payment, commission })),
    })
  }
  return candidates
}

type Booked = { programId: number; id: number; sale: Sale; booked?: BookedCommission | undefined }

/** Finds the click of the customer that the payment names; null if the key does not decide whose sale it is. */
export const findBoundClick = async (tx: Tx, sale: Sale, payment: Pick<CreditablePayment, 'paid' | 'attribution'>) => {
  const { programId, customerKey } = payment.attribution
  if (customerKey === null || !isDecidedByKey(sale, payment)) return null
  return (await findCustomerByKey(tx, { programId, customerKey }))?.clickId ?? null
}

type Recorded = { sale: Sale; payment: CreditablePayment; commission: BookedCommission | undefined }

/** Checks only sales whose time was corrected: no other change since then may take a sale away from its partner. */
const isDecidedDifferently = async (
  tx: Tx,
  hashKey: string,
  { sale, payment, commission }: Recorded,
): Promise<boolean> => {
  if (sale.soldAt.getTime() === payment.paid.soldAt.getTime()) return false
  return (
    (await isCreditedDifferently(tx, hashKey, { sale, payment })) ||
    (await isTrustedDifferently(tx, sale, payment)) ||
    (typeof commission?.currency === 'string' && (await isPaidInOtherCurrency(tx, sale, { payment, commission })))
  )
}

/** A click after the payment earns nothing, so a click between the old and new time can change who is credited. */
const isCreditedDifferently = async (tx: Tx, hashKey: string, { sale, payment }: Omit<Recorded, 'commission'>) => {
  const { program, paid, attribution } = payment
  const { programId, clickId, linkId, partnerId, soldAt, customerKey } = sale
  if (clickId === null || programId !== program.id || sale.currency !== paid.currency) return false
  if (isErasedKey(customerKey) || (attribution.customerKey === null && customerKey !== null)) return false
  if (!(await wasClickedBetween(tx, { programId, clickId, range: [soldAt, paid.soldAt] }))) return false
  const { customer, facts } = await loadFactsForSale(tx, hashKey, { program, ...attribution, soldAt: paid.soldAt })
  const credit = toCredit(attributeSale(facts), { customer, facts })
  return isUncredited(credit) || credit.linkId !== linkId || credit.partnerId !== partnerId
}

/** A customer key from a browser lead can be verified at one time and not at the other. */
const isTrustedDifferently = async (
  tx: Tx,
  { programId, clickId, customerKey, soldAt }: Sale,
  { paid }: CreditablePayment,
) => {
  if (clickId === null || customerKey === null) return false
  const customer = await findCustomerByKey(tx, { programId, customerKey })
  return customer?.clickId === clickId && trustInKey(customer, soldAt) !== trustInKey(customer, paid.soldAt)
}

/** A percentage pays in the sale's currency and a flat amount in its own, and the terms depend on the time of the sale. */
const isPaidInOtherCurrency = async (
  tx: Tx,
  { programId, partnerId, currency }: Sale,
  { payment, commission }: { payment: CreditablePayment; commission: BookedCommission },
) => {
  const { soldAt, netCents: amountCents } = payment.paid
  const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
  if (terms && hasRules(terms)) return currencyOfReward(terms, currency) !== commission.currency
  const reward = computeReward({ terms, event: { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: null } })
  return typeof reward !== 'string' && reward.currency !== commission.currency
}
