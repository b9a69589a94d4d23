import { type CodeFacts, chooseCode } from '../../attribution/codes.ts'
import type { Recorder } from '../../clock.ts'
import { inRounds } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import type { LockedTerms } from '../../money/rewards/reward-terms.ts'
import type { Attribution } from '../../payments/fold-reports.ts'
import { codePrecedenceAt, findPrograms, type Program } from '../../programs/programs.ts'
import { findStatedCodes } from '../codes/stated-codes.ts'
import type { CreditablePayment } from '../payments/plan-sale.ts'
import { claimKeys, type LeadRow, settleLeads, toLeadRow } from './record-lead.ts'

type Payment = { creditable: CreditablePayment; state: { named: Attribution[] } }
type NamedCustomer = { program: Program; customerKey: string; clickId: string | null; isBound: boolean; paidAt: Date }

/**
 * Settles or confirms the lead of every customer a payment names, if the click was valid at the time of payment. All named
 * customers are settled because a customer is bound once, and the order of contradictory reports must not decide to which click.
 * Refusals are ignored here: the sale is recorded either way and stores the reason. Returns the programs whose reward terms are
 * now locked.
 */
export const settlePaymentLeads = async (tx: Tx, dependencies: Recorder, payments: Payment[]): Promise<LockedTerms> => {
  const named = await findNamedCustomers(tx, await withoutCredits(tx, payments))
  if (named.length === 0) return { programIds: new Set() }
  const rows = named.map(({ program, customerKey, clickId, isBound, paidAt }) => {
    const request = { customer_key: customerKey, click_id: clickId, email: null }
    return toLeadRow({ program, event: 'processor_payment', request, happenedAt: paidAt, isBound })
  })
  // The lock order requires keys before sales, and these sales are credited later in the transaction.
  await claimKeys(tx, rows)
  const unsettled = rows.filter(({ known, request }) => known?.unverifiedSince !== null && request.click_id !== null)
  const nameOf = ({ programId }: LeadRow, name: string | null) => `${programId} ${name}`
  // Payments with the same customer or click run one after the other, so the second sees what the first settled.
  const rounds = inRounds(unsettled, (one) => nameOf(one, one.customerKey)).flatMap((byKey) =>
    inRounds(byKey, (one) => nameOf(one, one.request.click_id ?? null)),
  )
  for (const [index, round] of rounds.entries()) {
    if (index > 0) await claimKeys(tx, round)
    await settleLeads(tx, dependencies, round)
  }
  return { programIds: new Set(named.map(({ program }) => program.id)) }
}

/** A code that wins over the payment's click binds the customer, so the click settles no lead. */
const withoutCredits = async (tx: Tx, payments: Payment[]): Promise<Payment[]> => {
  const stated = payments.flatMap((payment) => {
    const { program, attribution, paid, codes } = payment.creditable
    const isPreferred = codes.length > 0 && codePrecedenceAt(program, paid.soldAt) === 'code'
    const { customerKey } = attribution
    return isPreferred ? [{ payment, program, customerKey, at: paid.soldAt, codes, codeFacts: {} as CodeFacts }] : []
  })
  if (stated.length === 0) return payments
  await findStatedCodes(tx, stated)
  const credited = new Set(stated.filter(({ codeFacts }) => chooseCode(codeFacts).winner).map(({ payment }) => payment))
  return payments.filter((payment) => !credited.has(payment))
}

/** All customers named with a key, sorted so that payments with the same customers cannot deadlock. */
const findNamedCustomers = async (tx: Tx, payments: Payment[]): Promise<NamedCustomer[]> => {
  const others = payments.flatMap(({ creditable, state }) =>
    state.named.flatMap(({ programId }) => (programId === creditable.program.id ? [] : [programId])),
  )
  const programs = new Map((await findPrograms(tx, others)).map((program) => [program.id, program]))
  return payments
    .flatMap(({ creditable, state }) =>
      state.named.flatMap(({ programId, customerKey, clickId, boundAt }): NamedCustomer[] => {
        const program = programId === creditable.program.id ? creditable.program : programs.get(programId)
        const isOwn = program?.workspaceId === creditable.program.workspaceId
        return program && isOwn && customerKey !== null
          ? [{ program, customerKey, clickId, isBound: boundAt !== undefined, paidAt: creditable.paid.soldAt }]
          : []
      }),
    )
    .toSorted((a, b) => a.program.id - b.program.id || (a.customerKey < b.customerKey ? -1 : 1))
}
