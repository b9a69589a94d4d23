import { Tributary } from '@tributary/sdk'
import type { ShopConfig } from './config.ts'
import type { Customer, Order } from './customers.ts'
import type { Plan } from './plans.ts'

type Log = (message: string) => void

/** Nobody waits longer than this for a sign-up or a purchase because tracking is slow. */
const BUDGET_MS = 5_000

/** Everything the shop tells Tributary. What is told stays the shop's own business if it fails: no customer ever sees it. */
export const referralsOf = ({ apiKey, tributaryUrl, programId }: ShopConfig, log: Log) => {
  const tributary = new Tributary({ apiKey, baseUrl: tributaryUrl })
  const told = (what: string, call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: Error) => log(`${what} could not be reported: ${error.message}`),
    )
  return {
    /** Only a visitor who came through a partner's link has a click. */
    signedUp: async (customer: Customer, cookies: string | undefined) => {
      const clickId = tributary.clickIdFromCookies(cookies ?? '')
      if (!clickId) return
      const lead = { customerExternalId: customer.id, clickId, email: customer.email }
      await told(`The sign-up of ${customer.id}`, tributary.trackLead(lead, { budgetMs: BUDGET_MS }))
    },

    /** The three keys, on the session and on what it makes, so that renewals are attributed too. */
    checkoutKeys: <Mode extends Plan['mode']>(customer: Customer, cookies: string | undefined, mode: Mode) =>
      tributary.checkoutMetadata({
        clickId: tributary.clickIdFromCookies(cookies ?? ''),
        customerExternalId: customer.id,
        programId,
        mode,
      }),

    sold: (customer: Customer, { id, plan }: Order) => {
      const sale = {
        customerExternalId: customer.id,
        amount: plan.amountCents,
        invoiceId: id,
        currency: plan.currency.toUpperCase(),
      }
      return told(`Sale ${id}`, tributary.trackSale(sale, { budgetMs: BUDGET_MS }))
    },

    refunded: ({ id, plan }: Order) =>
      told(
        `The refund of ${id}`,
        tributary.trackRefund(
          { invoiceId: id, amount: plan.amountCents, refundId: `${id}-refund` },
          { budgetMs: BUDGET_MS },
        ),
      ),
  }
}

export type Referrals = ReturnType<typeof referralsOf>
