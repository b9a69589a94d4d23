import { isWithinWindow } from '../../attribution/attribution.ts'
import type { Recorder } from '../../clock.ts'
import { findCustomerByKey, lockCustomerByClick, markAsProcessorCustomers } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Attribution } from '../../payments/fold-reports.ts'
import { lockPayments } from '../../payments/payments.ts'
import { bindCustomers, claimProcessorCustomers, listPaymentsOfCustomers } from '../../payments/processor-customers.ts'
import { findProgram, type Program, settingsAt } from '../../programs/programs.ts'
import { type PayerState, resolvePayers } from './resolve-payers.ts'
import { syncPayment } from './sync-payments.ts'

type NamedPayer = {
  /** The workspace's inbox program (processor/inbox-programs.ts). */
  inboxProgram: Program
  customerId: string
  attribution: Attribution | null
  clickReference?: string | undefined
  at: Date
}

/**
 * Binds a customer whom a processor names without a payment, such as for a trial, to the customer of the key or to a click that was valid
 * then. No lead settles. Payments that were reported before are credited now.
 */
export const bindNamedPayer = async (tx: Tx, recorder: Recorder, payer: NamedPayer) => {
  const { inboxProgram, customerId, clickReference, at } = payer
  const { attribution } = payer
  const state: PayerState = { attribution, named: attribution ? [attribution] : [], paid: null }
  if (clickReference !== undefined) state.clickReference = clickReference
  const payment = { inboxProgram, state }
  await resolvePayers(tx, [payment])
  if (!payment.state.attribution) return
  const customer = { programId: inboxProgram.id, customerId }
  const [claimed] = await claimProcessorCustomers(tx, [customer])
  if (!claimed || (claimed.binding && claimed.binding.at <= at)) return
  const waiting = claimed.isNew ? [] : await listPaymentsOfCustomers(tx, [customer])
  const paymentIds = waiting.map(({ paymentId }) => paymentId)
  // Payments are locked before the click.
  await lockPayments(tx, { programId: inboxProgram.id, paymentIds })
  const record = await findRecord(tx, inboxProgram, { attribution: payment.state.attribution, at })
  if (!record) return
  await bindCustomers(tx, [{ inboxProgramId: inboxProgram.id, customerId, ...record, at }])
  await markAsProcessorCustomers(tx, [record])
  for (const paymentId of paymentIds) await syncPayment(tx, recorder, { inboxProgram, paymentId })
}

type Named = { attribution: Attribution; at: Date }

const findRecord = async (tx: Tx, { workspaceId }: Program, { attribution, at }: Named) => {
  const { programId, customerKey, clickId } = attribution
  const program = await findProgram(tx, programId)
  if (program?.workspaceId !== workspaceId) return null
  const known = customerKey === null ? undefined : await findCustomerByKey(tx, { programId, customerKey })
  if (known?.unverifiedSince === null) return { programId, clickId: known.clickId }
  const clicked = clickId === null ? undefined : await lockCustomerByClick(tx, { programId, clickId })
  const isValid = clicked && isWithinWindow(clicked.lastClickedAt, settingsAt(program, at).cookieWindowDays, at)
  return isValid ? { programId, clickId: clicked.clickId } : null
}
