import type { Payment } from '../fake.ts'
import { paddleId } from '../fake-ids.ts'

export const transactionId = ({ name }: Payment) => paddleId('txn', name)
export const invoiceId = ({ name }: Payment) => paddleId('inv', name)
export const subscriptionId = ({ purchase }: Payment) => paddleId('sub', purchase)
export const customerId = ({ customer }: Payment) => paddleId('ctm', customer)
export const addressId = ({ customer }: Payment) => paddleId('add', customer)
export const codeId = (code: string) => paddleId('dsc', code)
export const discountId = ({ discountCode }: Payment) => (discountCode === null ? null : codeId(discountCode))

export const customDataOf = ({ metadata }: Payment) => (Object.keys(metadata).length === 0 ? null : metadata)
