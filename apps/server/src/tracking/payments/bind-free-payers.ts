import { sql } from 'kysely'
import { attributeSale } from '../../attribution/attribution.ts'
import type { Recorder } from '../../clock.ts'
import { bindToCodes, lockCustomerKeys, markAsProcessorCustomers } from '../../customers/customers.ts'
import { withParts } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PaymentState } from '../../payments/fold-reports.ts'
import { lockPayments } from '../../payments/payments.ts'
import { type Binding, bindCustomers, listPaymentsOfCustomers } from '../../payments/processor-customers.ts'
import type { Program } from '../../programs/programs.ts'
import type { CodeOnEvent } from '../codes/stated-codes.ts'
import { loadFactsForSale, toCodeCustomer } from '../sales/create-sales.ts'
import { creditSalesAfterCode } from '../sales/credit-sales-after-code.ts'

type Payment = { inboxProgram: Program; paymentId: number }
type FreePayment = Payment & {
  program: Program | null
  state: PaymentState
  codes?: CodeOnEvent[]
  binding?: Binding | null
}

/**
 * A payment that a code made free is no sale, but binds its customer like one: what they pay later is credited to the partner. A customer
 * of the processor is bound by its ID, and one with a key by the key. Returns their other payments, locked, which this may credit.
 */
export const bindFreePayers = async (tx: Tx, recorder: Recorder, payments: FreePayment[]): Promise<Payment[]> => {
  const later: Payment[] = []
  for (const { inboxProgram, paymentId, program, state, codes = [], binding } of payments) {
    const { paid, freeSince, attribution, customerId } = state
    if (
      paid ||
      !freeSince ||
      !program ||
      !attribution ||
      state.codes.length === 0 ||
      (binding && binding.at <= freeSince)
    )
      continue
    const { customerKey } = attribution
    if (!customerId && customerKey === null) continue
    if (customerKey !== null) await lockCustomerKeys(tx, [{ programId: program.id, customerKey }])
    const named = { program, ...attribution, soldAt: freeSince, codes }
    const loaded = await loadFactsForSale(tx, recorder.hashKey, named)
    const result = attributeSale(loaded.facts)
    const coded = toCodeCustomer({ ...named, ...loaded }, result, recorder.cell)
    const clickId = coded?.clickId ?? (result.winner && loaded.customer?.clickId)
    if (!clickId) continue
    if (coded) await sql`${withParts(bindToCodes([coded]))} SELECT count(*) FROM coded`.execute(tx)
    if (!coded) await markAsProcessorCustomers(tx, [{ programId: program.id, clickId }])
    if (customerId) {
      const customer = { programId: inboxProgram.id, customerId }
      await bindCustomers(tx, [
        { inboxProgramId: inboxProgram.id, customerId, programId: program.id, clickId, at: freeSince },
      ])
      for (const other of await listPaymentsOfCustomers(tx, [customer])) {
        const [locked] = await lockPayments(tx, { programId: other.programId, paymentIds: [other.paymentId] })
        if (locked !== undefined && locked !== paymentId) later.push({ inboxProgram, paymentId: locked })
      }
    }
    if (coded) await creditSalesAfterCode(tx, recorder.hashKey, { ...coded, program, at: recorder.clock() })
  }
  return later
}
