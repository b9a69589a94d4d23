import type { Recorder } from '../../clock.ts'
import { lockCustomerKeys } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { shareLockTerms } from '../../money/rewards/reward-terms.ts'
import { findPayment } from '../../payments/payments.ts'
import { findOtherInboxProgramId } from '../../payments/workspace-programs.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { findSales, lockSaleById } from '../../sales/find-sales.ts'
import { syncPayment } from '../payments/sync-payments.ts'
import { creditUncreditedSale } from './credit-uncredited-sale.ts'

type Earlier = { program: Program; saleId: number; invoiceId: string }

/** Decides again about a sale that was credited to no one: by the reports of its payment, if a processor reported it. */
export const creditEarlierPayment = async (tx: Tx, recorder: Recorder, { program, saleId, invoiceId }: Earlier) => {
  const programId = program.id
  await shareLockTerms(tx, [programId])
  for (const inboxProgramId of [await findOtherInboxProgramId(tx, programId), programId]) {
    const paymentId = inboxProgramId && (await findPayment(tx, { programId: inboxProgramId, reference: invoiceId }))
    const inboxProgram = paymentId ? await findProgram(tx, inboxProgramId) : undefined
    if (paymentId && inboxProgram) await syncPayment(tx, recorder, { inboxProgram, paymentId })
  }
  const known = (await findSales(tx, { programIds: [programId], invoiceIds: [invoiceId] })).find(
    ({ id }) => id === saleId,
  )
  if (!known || known.creditSource !== null || known.reportedBy !== 'merchant') return
  const { customerKey } = known
  if (customerKey !== null) await lockCustomerKeys(tx, [{ programId, customerKey }])
  const sale = await lockSaleById(tx, { programId, saleId })
  if (!sale || sale.voidedAt) return
  const attribution = { customerKey: sale.customerKey, clickId: null }
  await creditUncreditedSale(tx, recorder, { sale, program, attribution, codes: [], at: recorder.clock() })
}
