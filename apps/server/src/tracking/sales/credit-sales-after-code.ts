import { findCustomerByKey } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Program } from '../../programs/programs.ts'
import { lockWaitingSales } from '../../sales/customer-sales.ts'
import { creditWaitingSales } from '../leads/credit-waiting-sales.ts'

type BoundCustomer = { program: Program; customerKey: string | null; usedAt: Date; at: Date }

/** A code that is learned late binds its customer from then on, so it credits their later sales too. The caller holds the key's lock. */
export const creditSalesAfterCode = async (
  tx: Tx,
  hashKey: string,
  { program, customerKey, usedAt, at }: BoundCustomer,
) => {
  if (customerKey === null) return
  const programId = program.id
  const record = await findCustomerByKey(tx, { programId, customerKey })
  if (record?.creditSource !== 'code') return
  const waiting = await lockWaitingSales(tx, { programId, customerKey })
  const later = waiting.filter(({ soldAt }) => soldAt >= usedAt)
  await creditWaitingSales(tx, hashKey, { program, clickId: record.clickId, clicksOf: record, at }, later)
}
