import { attributeSale } from '../../attribution/attribute-sale.ts'
import { trustInKey } from '../../attribution/confirm-customer.ts'
import { findCustomerByKey } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { isErasedKey } from '../../erased-key.ts'
import { wasClickedBetween } from '../../events/clicks-of-record.ts'
import { findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { rewardOf } from '../../money/commissions/decide-commission.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { factsOfTerms } from '../sales/earn-commission.ts'
import { creditBy, factsOfSale } from '../sales/make-sale.ts'
import type { Creditable } from './creditable.ts'
import { isOfAnother } from './is-of-another.ts'
import { wasPaid } from './merge-sales.ts'

/**
 * Whether a sale is not the one that would have been made, had all reports of its payment been there first, and cannot be
 * corrected into it: it is another's, or was made at a moment at which it is another's, or earned other money. What people have
 * been paid for stays theirs.
 */
export const isToBeRemade = async (tx: Tx, sale: Sale, creditable: Creditable): Promise<boolean> => {
  const isOther =
    (await isOfAnother(tx, sale, creditable)) ||
    (await wonByLaterClick(tx, sale, creditable)) ||
    (await isOtherwiseTrusted(tx, sale, creditable)) ||
    (await earnedOtherMoney(tx, sale, creditable))
  return isOther && !(await wasPaid(tx, sale))
}

const isMoved = ({ soldAt }: Sale, { paid }: Creditable) => soldAt.getTime() !== paid.soldAt.getTime()

/**
 * A click after the payment earns nothing. Asked again only where one lies between the moment that was told first and the
 * right one: whatever else has changed since is no reason to take a sale from anybody.
 */
const wonByLaterClick = async (tx: Tx, sale: Sale, creditable: Creditable) => {
  const { program, paid, attribution } = creditable
  const { programId, clickId, linkId, partnerId, soldAt, customerKey } = sale
  if (clickId === null || programId !== program.id || sale.currency !== paid.currency) return false
  if (isErasedKey(customerKey) || (attribution.customerKey === null && customerKey !== null)) return false
  if (!isMoved(sale, creditable)) return false
  if (!(await wasClickedBetween(tx, { programId, clickId, moments: [soldAt, paid.soldAt] }))) return false
  const { customer, facts } = await factsOfSale(tx, { program, ...attribution, soldAt: paid.soldAt })
  const credit = creditBy(attributeSale(facts), customer)
  return 'reason' in credit || credit.linkId !== linkId || credit.partnerId !== partnerId
}

/** The sale was credited by the key of a lead that a browser reported, which is worth more or less at the moment that turns out right. */
const isOtherwiseTrusted = async (tx: Tx, sale: Sale, creditable: Creditable) => {
  const { programId, clickId, customerKey } = sale
  if (clickId === null || customerKey === null || !isMoved(sale, creditable)) return false
  const known = await findCustomerByKey(tx, { programId, customerKey })
  if (known?.clickId !== clickId) return false
  return trustInKey(known, sale.soldAt) !== trustInKey(known, creditable.paid.soldAt)
}

/** Terms may pay a share, in the sale's currency, or an amount, in their own; and of two moments each has its terms. */
const earnedOtherMoney = async (tx: Tx, sale: Sale, creditable: Creditable) => {
  const { programId, id: saleId, partnerId, currency } = sale
  if (partnerId === null || !isMoved(sale, creditable)) return false
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  if (!commission) return false
  const { soldAt, netCents: amountCents } = creditable.paid
  const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
  const event = { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: null } as const
  const reward = rewardOf({ terms: terms && factsOfTerms(terms), event })
  return typeof reward !== 'string' && reward.currency !== commission.currency
}
