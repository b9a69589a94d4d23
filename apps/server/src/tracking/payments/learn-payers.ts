import type { Recorder } from '../../clock.ts'
import { addPayerMailboxes, type PayerMailbox } from '../../customers/payer-mailboxes.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PaymentState } from '../../payments/fold-reports.ts'
import { findMailboxes, storeMailbox } from '../../payments/processor-customers.ts'
import type { Program } from '../../programs/programs.ts'
import { findOwnEarners, reviewOwnEarnings } from '../leads/review-own-earnings.ts'

type Payment = {
  inboxProgram: Pick<Program, 'id'>
  state: Pick<PaymentState, 'payers' | 'customerId'>
  sale?: { programId: number; clickId: string | null } | null
}

/**
 * Keeps the addresses that processors state for the payers of a record, from which later sales see that the customer is the partner.
 * What was earned before goes to review.
 */
export const learnPayers = async (tx: Tx, recorder: Recorder, payments: Payment[]) => {
  const credited = payments.flatMap(({ inboxProgram, state, sale }) =>
    sale?.clickId ? [{ inboxProgram, state, programId: sale.programId, clickId: sale.clickId }] : [],
  )
  const stated = credited.flatMap(({ programId, clickId, state: { payers = [] } }) =>
    payers.map((payer) => ({ programId, clickId, mailboxHash: Buffer.from(payer, 'hex') })),
  )
  const customers = credited.flatMap(({ inboxProgram, state: { customerId }, ...record }) =>
    customerId ? [{ ...record, inboxProgramId: inboxProgram.id, customerId }] : [],
  )
  await addPayers(tx, recorder, [...stated, ...(await findMailboxes(tx, customers))])
}

type Customer = { inboxProgramId: number; customerId: string; mailboxHash: Buffer }

/** The same for a customer whom the processor names without a payment. */
export const learnCustomer = async (tx: Tx, recorder: Recorder, customer: Customer) => {
  const record = await storeMailbox(tx, customer)
  if (record) await addPayers(tx, recorder, [{ ...record, mailboxHash: customer.mailboxHash }])
}

const addPayers = async (tx: Tx, { clock, hashKey }: Recorder, payers: PayerMailbox[]) => {
  for (const { programId, clickId, mailboxHash } of await addPayerMailboxes(tx, payers)) {
    const names = { keys: [], emailHash: null, mailboxHash: null, payers: [mailboxHash] }
    const customer = { programId, clickId, customerKey: null, names }
    // Most payers are not the partner, and need no locks.
    if ((await findOwnEarners(tx, hashKey, customer)).length > 0)
      await reviewOwnEarnings(tx, hashKey, [{ ...customer, at: clock() }])
  }
}
