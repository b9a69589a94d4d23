import { findCustomerByKey } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { isErasedKey } from '../../erased-key.ts'
import type { Sale } from '../../sales/find-sales.ts'
import type { Creditable } from './creditable.ts'

type Named = Pick<Creditable, 'paid' | 'attribution'>

/**
 * Whether a sale was made for somebody else than all reports of its payment together say. Names are compared, and not what they
 * come to: a customer who was bound meanwhile takes no sale from the click that had it.
 */
export const isOfAnother = async (tx: Tx, sale: Sale, { paid, attribution }: Named): Promise<boolean> => {
  if (sale.programId !== attribution.programId || sale.currency !== paid.currency) return false
  const { customerKey, clickId } = attribution
  const { programId } = sale
  if (isErasedKey(sale.customerKey)) return false
  if (customerKey !== null && sale.customerKey !== null) return customerKey !== sale.customerKey
  if (sale.clickId === null || sale.customerKey !== null) return false
  if (customerKey === null) return clickId !== null && clickId !== sale.clickId
  const customer = await findCustomerByKey(tx, { programId, customerKey })
  return customer !== undefined && customer.clickId !== sale.clickId
}
