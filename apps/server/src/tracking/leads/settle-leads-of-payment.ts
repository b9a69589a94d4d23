import { findCustomersByKey, lockCustomerKeys } from '../../customers/customers.ts'
import { inRounds } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Attribution } from '../../payments/named-customers.ts'
import { findPrograms, type Program } from '../../programs/programs.ts'
import type { CreditablePayment } from '../payments/plan-sale.ts'
import type { Recorder } from '../recorder.ts'
import type { LeadCall } from './lead-call.ts'
import { settleLeads } from './record-lead.ts'

type Payment = { creditable: CreditablePayment; named: Attribution[] }
type Named = { program: Program; customerKey: string; clickId: string | null; paidAt: Date }

/**
 * A payment settles the lead of everybody whom it names: a provisional lead, or a new one if the click was valid when it was paid;
 * or it confirms one that a browser settled. A customer is bound once, so this must not depend on which of two contradicting
 * messages came first. Where the settlement table refuses, the sale will say why: a payment is never lost over a cookie.
 */
export const settleLeadsOfPayments = async (tx: Tx, dependencies: Recorder, payments: Payment[]) => {
  const named = await namedIn(tx, payments)
  if (named.length === 0) return
  const known = await findCustomersByKey(tx, named.map(keyOf))
  const open = named.filter((_, place) => known[place]?.unverifiedSince !== null)
  if (open.length === 0) return
  // A sale may be credited by the key a little later; the key is locked before the sale, here as everywhere.
  await lockCustomerKeys(tx, open.map(keyOf))
  const calls = open.flatMap(({ program, customerKey, clickId, paidAt }): LeadCall[] => {
    const request = { customer_key: customerKey, click_id: clickId, email: null }
    return clickId === null ? [] : [{ program, event: 'processor_payment', request, happenedAt: paidAt }]
  })
  // Of two payments that name one customer, or one click, the second has to see what the first has settled.
  for (const byKey of inRounds(calls, ({ program, request }) => `${program.id} ${request.customer_key}`))
    for (const round of inRounds(byKey, ({ program, request }) => `${program.id} ${request.click_id}`))
      await settleLeads(tx, dependencies, round)
}

const keyOf = ({ program, customerKey }: Named) => ({ programId: program.id, customerKey })

/** Everybody who is named with a key, in one order for all, so that two payments of the same two customers do not wait crosswise. */
const namedIn = async (tx: Tx, payments: Payment[]): Promise<Named[]> => {
  const others = payments.flatMap(({ creditable, named }) =>
    named.flatMap(({ programId }) => (programId === creditable.program.id ? [] : [programId])),
  )
  const programs = new Map((await findPrograms(tx, others)).map((program) => [program.id, program]))
  return payments
    .flatMap(({ creditable, named }) =>
      named.flatMap(({ programId, customerKey, clickId }): Named[] => {
        const program = programId === creditable.program.id ? creditable.program : programs.get(programId)
        const isOwn = program?.workspaceId === creditable.program.workspaceId
        return program && isOwn && customerKey !== null
          ? [{ program, customerKey, clickId, paidAt: creditable.paid.soldAt }]
          : []
      }),
    )
    .toSorted((a, b) => a.program.id - b.program.id || (a.customerKey < b.customerKey ? -1 : 1))
}
