import type { Recorder } from '../../clock.ts'
import { findCustomersByKey, lockCustomerKeys } from '../../customers/customers.ts'
import { inRounds } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Attribution } from '../../payments/named-customers.ts'
import { findPrograms, type Program } from '../../programs/programs.ts'
import type { CreditablePayment } from '../payments/plan-sale.ts'
import type { LeadCall } from './lead-call.ts'
import { settleLeads } from './record-lead.ts'

type Payment = { creditable: CreditablePayment; named: Attribution[] }
type NamedCustomer = { program: Program; customerKey: string; clickId: string | null; paidAt: Date }

/**
 * Settles or confirms the lead of every customer a payment names, if the click was valid at the time of payment. All named
 * customers are settled because a customer is bound once, and the order of contradictory reports must not decide to which click.
 * Refusals are ignored here: the sale is recorded either way and stores the reason.
 */
export const settlePaymentLeads = async (tx: Tx, dependencies: Recorder, payments: Payment[]) => {
  const named = await findNamedCustomers(tx, payments)
  if (named.length === 0) return
  const known = await findCustomersByKey(tx, named.map(keyOf))
  const unsettled = named.filter((_, index) => known[index]?.unverifiedSince !== null)
  if (unsettled.length === 0) return
  // The lock order requires keys before sales, and these sales are credited later in the transaction.
  await lockCustomerKeys(tx, unsettled.map(keyOf))
  const calls = unsettled.flatMap(({ program, customerKey, clickId, paidAt }): LeadCall[] => {
    const request = { customer_key: customerKey, click_id: clickId, email: null }
    return clickId === null ? [] : [{ program, event: 'processor_payment', request, happenedAt: paidAt }]
  })
  // Payments with the same customer or click run one after the other, so the second sees what the first settled.
  for (const byKey of inRounds(calls, ({ program, request }) => `${program.id} ${request.customer_key}`))
    for (const round of inRounds(byKey, ({ program, request }) => `${program.id} ${request.click_id}`))
      await settleLeads(tx, dependencies, round)
}

const keyOf = ({ program, customerKey }: NamedCustomer) => ({ programId: program.id, customerKey })

/** All customers named with a key, sorted so that payments with the same customers cannot deadlock. */
const findNamedCustomers = async (tx: Tx, payments: Payment[]): Promise<NamedCustomer[]> => {
  const others = payments.flatMap(({ creditable, named }) =>
    named.flatMap(({ programId }) => (programId === creditable.program.id ? [] : [programId])),
  )
  const programs = new Map((await findPrograms(tx, others)).map((program) => [program.id, program]))
  return payments
    .flatMap(({ creditable, named }) =>
      named.flatMap(({ programId, customerKey, clickId }): NamedCustomer[] => {
        const program = programId === creditable.program.id ? creditable.program : programs.get(programId)
        const isOwn = program?.workspaceId === creditable.program.workspaceId
        return program && isOwn && customerKey !== null
          ? [{ program, customerKey, clickId, paidAt: creditable.paid.soldAt }]
          : []
      }),
    )
    .toSorted((a, b) => a.program.id - b.program.id || (a.customerKey < b.customerKey ? -1 : 1))
}
