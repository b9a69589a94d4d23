import { findCustomerByKey, lockCustomerKey } from '../customers/customers.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import type { Counting, Creditable, Dependencies } from './follow-payment.ts'
import { settleInTransaction } from './record-lead.ts'

type SettledLead = { counting: Counting[]; leadId: number | null }
const NO_LEAD: SettledLead = { counting: [], leadId: null }

/**
 * A payment settles the lead of its customer: a provisional one, or a new one if the click was valid when it was paid. Where
 * the settlement table refuses, the sale will say why; a payment is never lost over a cookie.
 */
export const settleLeadOfPayment = async (
  tx: Tx,
  dependencies: Dependencies,
  { program, paid, attribution }: Creditable,
): Promise<SettledLead> => {
  const programId = program.id
  const { customerKey, clickId } = attribution
  if (customerKey === null || (await findCustomerByKey(tx, { programId, customerKey }))) return NO_LEAD
  if (clickId === null) {
    // A sale may be credited by the key a little later; the key is locked before the sale, here as everywhere.
    await lockCustomerKey(tx, { programId, customerKey })
    return NO_LEAD
  }
  const request = { customer_key: customerKey, click_id: clickId, email: null }
  try {
    const call = { program, event: 'processor_payment', request, happenedAt: paid.soldAt } as const
    const { counted, ...lead } = await settleInTransaction(tx, dependencies, call)
    return {
      counting: counted.map((row) => ({ ...row, programId })),
      leadId: lead.outcome === 'settled' ? lead.leadId : null,
    }
  } catch (error) {
    if (error instanceof Refusal) return NO_LEAD
    throw error
  }
}
