import { findCustomerByKey, lockCustomerKey } from '../customers/customers.ts'
import type { Tx } from '../database/transaction.ts'
import type { Attribution } from '../payments/named-customers.ts'
import { findProgram, type Program } from '../programs/programs.ts'
import type { Creditable, Dependencies } from './follow-payment.ts'
import { settleLeads } from './record-lead.ts'

/**
 * A payment settles the lead of everybody whom it names: a customer is bound once, so this must not depend on which of two
 * contradicting messages came first. The sale is one customer's.
 */
export const settleLeadsOfPayment = async (
  tx: Tx,
  dependencies: Dependencies,
  { creditable, named }: { creditable: Creditable; named: Attribution[] },
) => {
  // In one order for all, so that two payments of the same two customers do not stand in each other's way.
  const ordered = named.toSorted((a, b) => a.programId - b.programId || compare(a.customerKey, b.customerKey))
  for (const attribution of ordered) {
    const program = await programOf(tx, { creditable, attribution })
    if (program) await settleLead(tx, dependencies, { ...creditable, program, attribution })
  }
}

const compare = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? -1 : 1)

type Naming = { creditable: Creditable; attribution: Attribution }

const programOf = async (tx: Tx, { creditable, attribution }: Naming): Promise<Program | null> => {
  const { program } = creditable
  if (attribution.programId === program.id) return program
  const other = await findProgram(tx, attribution.programId)
  return other?.workspaceId === program.workspaceId ? other : null
}

/**
 * A provisional lead, or a new one if the click was valid when it was paid; or the confirmation of one that a browser settled. Where the settlement table refuses, the sale will
 * say why; a payment is never lost over a cookie.
 */
const settleLead = async (tx: Tx, dependencies: Dependencies, { program, paid, attribution }: Creditable) => {
  const programId = program.id
  const { customerKey, clickId } = attribution
  if (customerKey === null) return
  const known = await findCustomerByKey(tx, { programId, customerKey })
  if (known && known.unverifiedSince === null) return
  // A sale may be credited by the key a little later; the key is locked before the sale, here as everywhere.
  if (clickId === null) return lockCustomerKey(tx, { programId, customerKey })
  const request = { customer_key: customerKey, click_id: clickId, email: null }
  const call = { program, event: 'processor_payment', request, happenedAt: paid.soldAt } as const
  await settleLeads(tx, dependencies, [call])
}
