import { note } from '../audit/audit-log.ts'
import type { Clock } from '../clock.ts'
import { findCustomerByKey, forgetCustomer, lockCustomerByClick, lockCustomerKey } from '../customers/customers.ts'
import { keepErasedCustomer } from '../customers/erased-customers.ts'
import { forgetVisitorOfLead } from '../customers/leads.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { isErasedKey, newErasedKey } from '../erased-key.ts'
import { forgetClicks } from '../events/forget-clicks.ts'
import { forgetTestEvents } from '../events/test-events.ts'
import { type Forgetting, forgetPayer, type PaymentOf, paymentsOfCustomer } from '../payments/forget-payer.ts'
import { lockPayments } from '../payments/payments.ts'
import type { Program } from '../programs/programs.ts'
import { findBuyerClicks, findBuyerKeys } from '../sales/buyers.ts'
import { forgetBuyer } from '../sales/sales.ts'

type Asked = { program: Program; userId: string } & ({ customerKey: string } | { clickId: string })

export type Erased = Forgetting & { payments: PaymentOf[]; at: Date }

type Dependencies = {
  db: Database
  clock: Clock
  hashKey: string
  /** Where a processor's own messages are kept, which no story knows. Answers how many were changed. */
  redactMessages: (tx: Tx, erased: Erased) => Promise<number>
}

/** Somebody under a name, by one of their clicks. Who has several of either is there several times. */
type Person = Pick<Forgetting, 'customerKey' | 'clickId' | 'token'>

/**
 * Removes what is personal about one customer and leaves the money alone: sales, commissions, ledger and decisions stay, under a
 * name that leads nowhere. Asked again, there is nothing left to do. Whoever comes with the old key is somebody new, but earns
 * neither the commission for the lead nor that of a first sale again.
 */
export const eraseCustomer = ({ db, clock, hashKey, redactMessages }: Dependencies, asked: Asked) =>
  inTransaction(db, async (tx) => {
    const { id: programId, workspaceId } = asked.program
    const at = clock()
    const keys = 'customerKey' in asked ? [asked.customerKey] : await keysOf(tx, { programId, ...asked })
    const tokens = new Map(keys.map((key) => [key, newErasedKey()]))
    // Whoever follows a payment of theirs holds it before the key; a sale that is being made is erased with the others.
    for (const [customerKey, token] of tokens)
      await lockAll(tx, await paymentsOfCustomer(tx, { workspaceId, programId, customerKey, clickId: null, token }))
    // The lock that a lead and a sale of this customer take first (decision 3).
    for (const customerKey of keys) await lockCustomerKey(tx, { programId, customerKey })
    const people = await peopleOf(tx, { programId, tokens, clickId: 'clickId' in asked ? asked.clickId : null })
    const erased = { customers: 0, sales: 0, clicks: 0, testEvents: 0, paymentReports: 0, processorEvents: 0 }
    for (const person of people) {
      const names = { workspaceId, programId, ...person }
      // Found by what is about to be erased.
      const payments = await paymentsOfCustomer(tx, names)
      if (person.customerKey !== null && person.clickId !== null)
        await keepErasedCustomer(tx, hashKey, { programId, customerKey: person.customerKey, clickId: person.clickId })
      erased.customers += await forgetCustomer(tx, names)
      erased.sales += await forgetBuyer(tx, names)
      erased.clicks += await forgetClicks(tx, names)
      erased.testEvents += await forgetTestEvents(tx, names)
      erased.paymentReports += await forgetPayer(tx, names)
      erased.processorEvents += await redactMessages(tx, { ...names, payments, at })
      await forgetVisitorOfLead(tx, names)
    }
    if (Object.values(erased).some((rows) => rows > 0)) {
      const clickId = people.find((person) => person.clickId !== null)?.clickId
      const subject = clickId ? `customer ${clickId}` : 'a customer without a sign-up'
      await note(tx, {
        ...{ programId, userId: asked.userId, action: 'personal data erased', subject },
        ...{ after: erased, at },
      })
    }
    return erased
  })

const lockAll = async (tx: Tx, payments: PaymentOf[]) => {
  for (const { programId, paymentId } of payments) await lockPayments(tx, { programId, paymentIds: [paymentId] })
}

/** The one who signed up by the click, or else who bought by it. Nobody where that one was erased before. */
const keysOf = async (tx: Tx, ofClick: { programId: number; clickId: string }) => {
  const key = (await lockCustomerByClick(tx, ofClick))?.customerKey ?? null
  if (key !== null) return isErasedKey(key) ? [] : [key]
  return (await findBuyerKeys(tx, ofClick)).filter((bought) => !isErasedKey(bought))
}

type Named = { programId: number; tokens: Map<string, string>; clickId: string | null }

const peopleOf = async (tx: Tx, { programId, tokens, clickId }: Named): Promise<Person[]> => {
  const people: Person[] = []
  for (const [customerKey, token] of tokens) {
    const customer = await findCustomerByKey(tx, { programId, customerKey })
    const bought = await findBuyerClicks(tx, { programId, customerKey })
    const clicks = new Set([customer?.clickId, clickId, ...bought].filter((click) => click != null))
    for (const click of clicks.size > 0 ? clicks : [null]) people.push({ customerKey, clickId: click, token })
  }
  return people.length > 0 ? people : [{ customerKey: null, clickId, token: newErasedKey() }]
}
