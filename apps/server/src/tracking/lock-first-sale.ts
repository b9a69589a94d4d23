import { lockCustomerByClick } from '../customers/customers.ts'
import type { Tx } from '../database/transaction.ts'
import { firstSaleBeside, type SaleOfCustomer } from '../sales/sales-of-customer.ts'

/** Holds the customer, so that of two sales at once not both are the first. */
export const lockFirstSale = async (tx: Tx, sale: SaleOfCustomer) => {
  await lockCustomerByClick(tx, sale)
  return firstSaleBeside(tx, sale)
}
