import type { Clock } from '../clock.ts'
import { findCustomerByKey, forgetCustomer, lockCustomerByClick, lockCustomerKeyAlone } from '../customers/customers.ts'
import { storeErasedCustomer } from '../customers/erased-customers.ts'
import { forgetVisitorOfLead } from '../customers/leads.ts'
import { forgetPayerMailboxes } from '../customers/payer-mailboxes.ts'
import type { Tx } from '../database/transaction.ts'
import { isErasedKey, newErasedKey } from '../erased-key.ts'
import { forgetClicks } from '../events/forget-clicks.ts'
import { forgetTestEvents } from '../events/test-events.ts'
import { forgetCustomerInEvents } from '../outbox/forget-customer.ts'
import {
  type Erasure,
  forgetPayer,
  forgetPayerAddresses,
  listPaymentsOfCustomer,
  type PaymentId,
} from '../payments/forget-payer.ts'
import { lockPayments } from '../payments/payments.ts'
import type { Audit } from '../platform/audit.ts'
import type { Program } from '../programs/programs.ts'
import { findBuyerClicks, findBuyerKeys } from '../sales/buyers.ts'
import { forgetBuyer } from '../sales/sales.ts'
import { forgetViews } from '../views/saved-views.ts'
import { forgetResponses } from '../webhooks/forget-responses.ts'

type ErasureRequest = { program: Program } & ({ customerKey: string } | { clickId: string })

type ErasedIdentity = Erasure & { payments: PaymentId[]; at: Date }

type Dependencies = {
  clock: Clock
  hashKey: string
  audit: Audit
  /** Redacts the stored processor events and returns how many changed. */
  redactMessages: (tx: Tx, erased: ErasedIdentity) => Promise<number>
}

/** One customer key with one click. A customer with several keys or clicks has several identities. */
type Identity = Pick<Erasure, 'customerKey' | 'clickId' | 'token'>

/**
 * Erases a customer's personal data. Sales, commissions, ledger lines and decisions stay, under a random key. Erasing twice
 * changes nothing. A later lead with the old key is a new customer, but does not earn the lead or first-sale commission again.
 */
export const eraseCustomer = async (
  tx: Tx,
  { clock, hashKey, audit, redactMessages }: Dependencies,
  request: ErasureRequest,
) => {
  const { id: programId, workspaceId } = request.program
  const at = clock()
  const keys = 'customerKey' in request ? [request.customerKey] : await findKeys(tx, { programId, ...request })
  const tokens = new Map(keys.map((key) => [key, newErasedKey()]))
  // Payments are locked before the customer key (the global lock order), so a sale being recorded right now is erased too.
  for (const [customerKey, token] of tokens)
    await lockAll(tx, await listPaymentsOfCustomer(tx, { workspaceId, programId, customerKey, clickId: null, token }))
  // Leads and sales of this customer take the same lock first (decision 3).
  for (const customerKey of keys) await lockCustomerKeyAlone(tx, { programId, customerKey })
  const identities = await listIdentities(tx, {
    programId,
    tokens,
    clickId: 'clickId' in request ? request.clickId : null,
  })
  const erased = { customers: 0, sales: 0, clicks: 0, testEvents: 0, paymentReports: 0, processorEvents: 0 }
  for (const identity of identities) {
    const names = { workspaceId, programId, ...identity }
    // Must run before the key is erased, because it finds the payments by that key.
    const payments = await listPaymentsOfCustomer(tx, names)
    if (identity.customerKey !== null && identity.clickId !== null)
      await storeErasedCustomer(tx, hashKey, {
        programId,
        customerKey: identity.customerKey,
        clickId: identity.clickId,
      })
    erased.customers += await forgetCustomer(tx, names)
    erased.sales += await forgetBuyer(tx, names)
    erased.clicks += await forgetClicks(tx, names)
    erased.testEvents += await forgetTestEvents(tx, names)
    await forgetPayerAddresses(tx, payments)
    await forgetPayerMailboxes(tx, names)
    erased.paymentReports += await forgetPayer(tx, names)
    erased.processorEvents += await redactMessages(tx, { ...names, payments, at })
    await forgetVisitorOfLead(tx, names)
    await forgetViews(tx, names)
    await forgetCustomerInEvents(tx, names)
    await forgetResponses(tx, names)
  }
  if (Object.values(erased).some((rows) => rows > 0)) {
    const clickId = identities.find((identity) => identity.clickId !== null)?.clickId
    const subject = clickId ? `customer ${clickId}` : 'a customer without a lead'
    await audit(tx, { action: 'personal data erased', subject, after: erased, at })
  }
  return erased
}

const lockAll = async (tx: Tx, payments: PaymentId[]) => {
  for (const { programId, paymentId } of payments) await lockPayments(tx, { programId, paymentIds: [paymentId] })
}

/** The key of the click's lead, otherwise the keys of its sales. Empty if the customer was already erased. */
const findKeys = async (tx: Tx, ofClick: { programId: number; clickId: string }) => {
  const key = (await lockCustomerByClick(tx, ofClick))?.customerKey ?? null
  if (key !== null) return isErasedKey(key) ? [] : [key]
  return (await findBuyerKeys(tx, ofClick)).filter((customerKey) => !isErasedKey(customerKey))
}

type Targets = { programId: number; tokens: Map<string, string>; clickId: string | null }

const listIdentities = async (tx: Tx, { programId, tokens, clickId }: Targets): Promise<Identity[]> => {
  const identities: Identity[] = []
  for (const [customerKey, token] of tokens) {
    const customer = await findCustomerByKey(tx, { programId, customerKey })
    const bought = await findBuyerClicks(tx, { programId, customerKey })
    const clicks = new Set([customer?.clickId, clickId, ...bought].filter((click) => click != null))
    for (const click of clicks.size > 0 ? clicks : [null]) identities.push({ customerKey, clickId: click, token })
  }
  return identities.length > 0 ? identities : [{ customerKey: null, clickId, token: newErasedKey() }]
}
