import { findClicksOfWorkspaces } from '../../customers/customers.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Attribution, PaymentState } from '../../payments/fold-reports.ts'
import {
  type Binding,
  type ClaimedCustomer,
  findBindings,
  findNamedBefore,
  nameOf,
} from '../../payments/processor-customers.ts'
import type { Program } from '../../programs/programs.ts'
import { programOfClickId } from '../clicks/click-ids.ts'

export type PayerState = Pick<PaymentState, 'attribution' | 'named' | 'paid' | 'customerId' | 'clickReference'>

/** A payment, with what is filled in when its payer is known. */
type PayerOfPayment<State extends PayerState> = {
  inboxProgram: Pick<Program, 'id' | 'workspaceId'>
  state: State
  /** The record that the processor's customer belongs to. */
  binding?: Binding | null
}

/**
 * Completes what the reports say about the payer: by the `click_id` that the checkout carries outside the metadata, and by the record that
 * the processor's customer belongs to. `claimed` are the customers whose records are already known.
 */
export const resolvePayers = async <State extends PayerState>(
  db: Database | Tx,
  payments: PayerOfPayment<State>[],
  claimed: ClaimedCustomer[] = [],
) => {
  await resolveReferences(db, payments)
  const known = new Map(claimed.map((customer) => [nameOf(customer), customer.binding]))
  const payers = payments.flatMap((payment) => {
    const { inboxProgram, state } = payment
    return state.customerId ? [{ payment, programId: inboxProgram.id, customerId: state.customerId }] : []
  })
  const isKnown = (payer: (typeof payers)[number]) => known.has(nameOf(payer))
  const others: ((typeof payers)[number] & { binding?: Binding | null })[] = payers.filter((payer) => !isKnown(payer))
  await findBindings(db, others)
  for (const { payment, binding } of others) payment.binding = binding ?? null
  for (const payer of payers.filter(isKnown)) payer.payment.binding = known.get(nameOf(payer)) ?? null
  const strangers = await findStrangers(db, payers)
  for (const payment of payments)
    if (payment.binding && !strangers.has(payment)) payment.state = withBinding(payment.state, payment.binding)
}

type Payer = { payment: PayerOfPayment<PayerState>; programId: number; customerId: string }

/**
 * Payments under a key that paid before the customer was bound without one. At many checkouts anyone gets the customer whose email address
 * they type.
 */
const findStrangers = async (db: Database | Tx, payers: Payer[]) => {
  const named = payers.flatMap(({ payment, ...customer }) => {
    const { binding, state } = payment
    const customerKey = state.attribution?.customerKey ?? null
    if (!binding || binding.customerKey !== null || customerKey === null) return []
    return [{ ...customer, payment, customerKey, before: binding.at }]
  })
  return new Set((await findNamedBefore(db, named)).map(({ payment }) => payment))
}

/** A value of another tool names no click of the workspace, and is ignored. */
const resolveReferences = async <State extends PayerState>(db: Database | Tx, payments: PayerOfPayment<State>[]) => {
  const references = payments.flatMap((payment) => {
    const { clickReference: clickId, attribution } = payment.state
    const programId = clickId ? programOfClickId(clickId) : null
    if (!clickId || programId === null || (attribution?.clickId ?? null) !== null) return []
    const isKnown = undefined as { lastClickedAt: Date } | undefined
    return [{ payment, clickId, programId, workspaceId: payment.inboxProgram.workspaceId, isKnown }]
  })
  if (references.length === 0) return
  await findClicksOfWorkspaces(db, references)
  for (const { payment, programId, clickId, isKnown } of references)
    if (isKnown) payment.state = withReference(payment.state, { programId, clickId })
}

/** The metadata wins: its customer key belongs to its program. */
const withReference = <State extends PayerState>(
  state: State,
  { programId, clickId }: { programId: number; clickId: string },
): State => {
  const { attribution, named }: PayerState = state
  if (!attribution?.customerKey) return { ...state, attribution: { programId, customerKey: null, clickId } }
  const complete = (one: Attribution) =>
    one.programId === programId && one.clickId === null ? { ...one, clickId } : one
  return { ...state, attribution: complete(attribution), named: named.map(complete) }
}

/**
 * Applies to what the payment itself names only if that came later than the binding. Metadata with the key of another customer wins over the
 * processor's customer.
 */
const withBinding = <State extends PayerState>(
  state: State,
  { programId, clickId, at: boundAt, customerKey }: Binding,
): State => {
  const { attribution, named, paid }: PayerState = state
  const isEarlier = paid !== null && paid.soldAt < boundAt
  const complete = (one: Attribution): Attribution => {
    const isNamed = one.customerKey !== null || one.clickId !== null
    const isOther = one.customerKey !== null && customerKey !== null && one.customerKey !== customerKey
    return one.programId !== programId || isOther || (isEarlier && isNamed) ? one : { ...one, clickId, boundAt }
  }
  const payer = attribution ?? { programId, customerKey: null, clickId: null }
  return { ...state, attribution: complete(payer), named: named.map(complete) }
}
