import type { CustomerRecord } from '../../attribution/candidates.ts'
import type { Customer } from '../../customers/customers.ts'

/** The record as the rules see it and as decisions keep it: without the names of the click and the customer. */
export const factsOfCustomer = (customer: Customer): CustomerRecord => {
  const { linkId, partnerId, creditedClickAt, firstClickedAt, lastClickedAt, customerKey } = customer
  return { linkId, partnerId, creditedClickAt, firstClickedAt, lastClickedAt, isSettled: customerKey !== null }
}
