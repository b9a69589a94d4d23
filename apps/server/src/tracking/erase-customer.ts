import { note } from '../audit/audit-log.ts'
import type { Clock } from '../clock.ts'
import { findCustomerByKey, forgetCustomer, lockCustomerByClick, lockCustomerKey } from '../customers/customers.ts'
import { forgetVisitorOfLead } from '../customers/leads.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { isErasedKey, newErasedKey } from '../erased-key.ts'
import { forgetClicks } from '../events/forget-clicks.ts'
import { forgetTestEvents } from '../events/test-events.ts'
import { type Forgetting, forgetPayer, type PaymentOf, paymentsOfCustomer } from '../payments/forget-payer.ts'
import { lockPayments } from '../payments/payments.ts'
import type { Program } from '../programs/programs.ts'
import { forgetBuyer } from '../sales/sales.ts'

type Asked = { program: Program; userId: string } & ({ customerKey: string } | { clickId: string })

export type Erased = Forgetting & { payments: PaymentOf[]; at: Date }

type Dependencies = {
  db: Database
  clock: Clock
  /** Where a processor's own messages are kept, which no story knows. Answers how many were changed. */
  redactMessages: (tx: Tx, erased: Erased) => Promise<number>
}

/**
 * Removes what is personal about one customer and leaves the money alone: sales, commissions, ledger and decisions stay, under a
 * name that leads nowhere. Asked again, there is nothing left to do. Whoever comes with the old key is somebody new.
 */
export const eraseCustomer = ({ db, clock, redactMessages }: Dependencies, asked: Asked) =>
  inTransaction(db, async (tx) => {
    const { userId } = asked
    const { id: programId, workspaceId } = asked.program
    const customerKey = 'customerKey' in asked ? asked.customerKey : await keyOf(tx, { programId, ...asked })
    const token = newErasedKey()
    // Whoever follows a payment of theirs holds it before the key; a sale that is being made is erased with the others.
    await lockAll(tx, await paymentsOfCustomer(tx, { workspaceId, programId, customerKey, clickId: null, token }))
    // The lock that a lead and a sale of this customer take first (decision 3).
    if (customerKey !== null) await lockCustomerKey(tx, { programId, customerKey })
    const customer = customerKey === null ? undefined : await findCustomerByKey(tx, { programId, customerKey })
    const clickId = customer?.clickId ?? ('clickId' in asked ? asked.clickId : null)
    const names = { workspaceId, programId, customerKey, clickId, token }
    // Found by what is about to be erased.
    const payments = await paymentsOfCustomer(tx, names)
    const erased = {
      customers: await forgetCustomer(tx, names),
      sales: await forgetBuyer(tx, names),
      clicks: await forgetClicks(tx, names),
      testEvents: await forgetTestEvents(tx, names),
      paymentReports: await forgetPayer(tx, names),
      processorEvents: await redactMessages(tx, { ...names, payments, at: clock() }),
    }
    await forgetVisitorOfLead(tx, names)
    if (Object.values(erased).some((rows) => rows > 0)) {
      const subject = clickId === null ? 'a customer without a sign-up' : `customer ${clickId}`
      await note(tx, { programId, userId, action: 'personal data erased', subject, after: erased, at: clock() })
    }
    return erased
  })

const lockAll = async (tx: Tx, payments: PaymentOf[]) => {
  for (const { programId, paymentId } of payments) await lockPayments(tx, { programId, paymentIds: [paymentId] })
}

/** Null where the click has no customer, or one that was erased before. */
const keyOf = async (tx: Tx, { programId, clickId }: { programId: number; clickId: string }) => {
  const key = (await lockCustomerByClick(tx, { programId, clickId }))?.customerKey ?? null
  return isErasedKey(key) ? null : key
}
