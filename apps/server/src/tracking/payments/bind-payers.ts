import { markAsProcessorCustomers } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { lockPayments } from '../../payments/payments.ts'
import {
  type Binding,
  bindCustomers,
  type ClaimedCustomer,
  claimProcessorCustomers,
  listPaymentsOfCustomers,
  nameOf,
} from '../../payments/processor-customers.ts'
import type { Program } from '../../programs/programs.ts'
import type { Sale } from '../../sales/find-sales.ts'
import type { CreditablePayment } from './plan-sale.ts'

type NamingReport = { inboxProgram: Program; report: PaymentReport }
type Payment = { inboxProgram: Program; paymentId: number }
type SyncedPayment = Payment & {
  state: { customerId?: string }
  creditable: Pick<CreditablePayment, 'attribution'> | null
  sale?: Pick<Sale, 'programId' | 'clickId' | 'soldAt'> | null
  binding?: Binding | null
}

/**
 * Finds the processor's customers that reports name. Locks those that belong to no record yet, so that the payment that binds one and those
 * that wait for it cannot miss each other.
 */
export const claimPayers = (tx: Tx, incoming: NamingReport[]) =>
  claimProcessorCustomers(tx, incoming.flatMap(customerOf))

const customerOf = ({ inboxProgram, report: { customerId } }: NamingReport) =>
  customerId ? [{ programId: inboxProgram.id, customerId }] : []

/** The other payments of customers whom these reports may bind. They are locked along with their own, in the same order. */
export const listWaitingPayments = (tx: Tx, incoming: NamingReport[], customers: ClaimedCustomer[]) => {
  const naming = incoming.filter(({ report }) => report.attribution !== null || report.clickReference !== undefined)
  const named = new Set(naming.flatMap(customerOf).map(nameOf))
  const mayBind = ({ binding, isNew, ...customer }: ClaimedCustomer) =>
    !binding && !isNew && named.has(nameOf(customer))
  return listPaymentsOfCustomers(tx, customers.filter(mayBind))
}

/**
 * Binds the processor's customers to the records that their payments were credited to. Returns their other payments, locked, which the
 * binding may change.
 */
export const bindPayers = async (tx: Tx, payments: SyncedPayment[], claimed: ClaimedCustomer[]): Promise<Payment[]> => {
  const bound = listBound(payments)
  if (bound.length === 0) return []
  await bindCustomers(tx, bound)
  await markAsProcessorCustomers(tx, bound)
  const isNew = new Set(claimed.filter((customer) => customer.isNew).map(nameOf))
  const shared = bound.filter(({ customerId, inboxProgramId: programId, payments: own }) => {
    return own > 1 || !isNew.has(nameOf({ programId, customerId }))
  })
  const others = await listPaymentsOfCustomers(
    tx,
    shared.map(({ inboxProgramId: programId, customerId }) => ({ programId, customerId })),
  )
  const binding = new Set(bound.map(({ paymentId }) => paymentId))
  const keys: Payment[] = []
  for (const { programId, paymentId } of others) {
    const { inboxProgram } = bound.find(({ inboxProgramId }) => inboxProgramId === programId) ?? {}
    if (!inboxProgram || binding.has(paymentId)) continue
    const [locked] = await lockPayments(tx, { programId, paymentIds: [paymentId] })
    if (locked !== undefined) keys.push({ inboxProgram, paymentId })
  }
  return keys
}

/** Each customer with the earliest payment that binds it. */
const listBound = (payments: SyncedPayment[]) => {
  const binding = payments.flatMap(({ inboxProgram, paymentId, state: { customerId }, sale, ...payment }) => {
    if (!customerId || !sale?.clickId || !isBinding({ ...payment, sale })) return []
    const { programId, clickId, soldAt } = sale
    // The key was bound before the customer was: the record changes, but not the time.
    const at = payment.creditable?.attribution.boundAt ?? soldAt
    return [{ inboxProgram, inboxProgramId: inboxProgram.id, paymentId, customerId, programId, clickId, at }]
  })
  const byCustomer = Map.groupBy(binding, ({ inboxProgramId, customerId }) => `${inboxProgramId} ${customerId}`)
  return [...byCustomer.values()].flatMap((own) => {
    const [first] = own.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.paymentId - b.paymentId)
    const isSame = ({ inboxProgram, state }: SyncedPayment) =>
      inboxProgram.id === first?.inboxProgramId && state.customerId === first.customerId
    return first ? [{ ...first, payments: payments.filter(isSame).length }] : []
  })
}

type Credited = Pick<SyncedPayment, 'creditable'> & {
  sale: NonNullable<SyncedPayment['sale']>
  binding?: Binding | null | undefined
}

/** The earliest credited payment binds a customer, unless its key was bound to another record before. */
const isBinding = ({ creditable, sale, binding }: Credited) => {
  if (!binding) return true
  if (sale.programId !== binding.programId) return false
  const { boundAt, customerKey = null } = creditable?.attribution ?? {}
  const isOther = customerKey !== null && binding.customerKey !== null && customerKey !== binding.customerKey
  if (isOther) return false
  return boundAt ? customerKey !== null && sale.clickId !== binding.clickId : sale.soldAt < binding.at
}
