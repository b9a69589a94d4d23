import { randomBytes } from 'node:crypto'
import { note } from '../audit/audit-log.ts'
import type { Clock } from '../clock.ts'
import { findCustomerByKey, forgetCustomer, lockCustomerByClick, lockCustomerKey } from '../customers/customers.ts'
import { forgetVisitorOfLead } from '../customers/leads.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { forgetClicks } from '../events/forget-clicks.ts'
import { forgetTestEvents } from '../events/test-events.ts'
import { forgetBuyer } from '../sales/sales.ts'

/** No lead can have such a key by chance, and nobody can find out whose it was: it is made of nothing. */
const PREFIX = 'erased_'
const newToken = () => PREFIX + randomBytes(20).toString('base64url')

type Asked = { programId: number; userId: string } & ({ customerKey: string } | { clickId: string })

/**
 * Removes what is personal about one customer and leaves the money alone: sales, commissions, ledger and decisions stay, under a
 * name that leads nowhere. Asked again, there is nothing left to do. Whoever comes with the old key is somebody new.
 */
export const eraseCustomer = ({ db, clock }: { db: Database; clock: Clock }, asked: Asked) =>
  inTransaction(db, async (tx) => {
    const { programId, userId } = asked
    const customerKey = 'customerKey' in asked ? asked.customerKey : await keyOf(tx, asked)
    // The lock that a lead and a sale of this customer take first (decision 3).
    if (customerKey !== null) await lockCustomerKey(tx, { programId, customerKey })
    const customer = customerKey === null ? undefined : await findCustomerByKey(tx, { programId, customerKey })
    const clickId = customer?.clickId ?? ('clickId' in asked ? asked.clickId : null)
    const names = { programId, customerKey, clickId, token: newToken() }
    const erased = {
      customers: await forgetCustomer(tx, names),
      sales: await forgetBuyer(tx, names),
      clicks: await forgetClicks(tx, names),
      testEvents: await forgetTestEvents(tx, names),
    }
    await forgetVisitorOfLead(tx, names)
    if (Object.values(erased).some((rows) => rows > 0)) {
      const subject = clickId === null ? 'a customer without a sign-up' : `customer ${clickId}`
      await note(tx, { programId, userId, action: 'personal data erased', subject, after: erased, at: clock() })
    }
    return erased
  })

/** Null where the click has no customer, or one that was erased before. */
const keyOf = async (tx: Tx, { programId, clickId }: { programId: number; clickId: string }) => {
  const key = (await lockCustomerByClick(tx, { programId, clickId }))?.customerKey ?? null
  return key?.startsWith(PREFIX) ? null : key
}
