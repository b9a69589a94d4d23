import { Tributary } from '@tributary/sdk'
import type { ShopConfig } from './config.ts'
import type { Customer, Order } from './customers.ts'
import type { Plan } from './plans.ts'
import { openReports } from './reports.ts'

/** How long the shop tries before it lets its customer go on, and how long it then waits before it tries again. */
export type Patience = { budgetMs: number; sendAgainAfterMs: number }

type Options = { log: (message: string) => void; patience: Patience }

/** Everything the shop tells Tributary. What is told stays the shop's own business if it fails: no customer ever sees it. */
export const referralsOf = ({ apiKey, tributaryUrl, programId }: ShopConfig, { log, patience }: Options) => {
  const { budgetMs, sendAgainAfterMs } = patience
  const tributary = new Tributary({ apiKey, baseUrl: tributaryUrl, budgetMs })
  const reports = openReports({ log, sendAgainAfterMs })
  return {
    /** Only a visitor who came through a partner's link has a click. */
    signedUp: async (customer: Customer, cookies: string | undefined) => {
      const clickId = tributary.clickIdFromCookies(cookies)
      if (!clickId) return
      const lead = { customerExternalId: customer.id, clickId, email: customer.email }
      await reports.tell(customer.id, {
        what: `The sign-up of ${customer.id}`,
        send: () => tributary.trackLead(lead),
      })
    },

    /** The three keys, on the session and on what it makes, so that renewals are attributed too. */
    checkoutKeys: <Mode extends Plan['mode']>(customer: Customer, cookies: string | undefined, mode: Mode) =>
      tributary.checkoutMetadata({
        clickId: tributary.clickIdFromCookies(cookies),
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
      return reports.tell(customer.id, { what: `Sale ${id}`, send: () => tributary.trackSale(sale) })
    },

    refunded: (customer: Customer, { id, plan }: Order) => {
      const refund = { invoiceId: id, amount: plan.amountCents, refundId: `${id}-refund` }
      return reports.tell(customer.id, { what: `The refund of ${id}`, send: () => tributary.trackRefund(refund) })
    },

    close: reports.close,
  }
}

export type Referrals = ReturnType<typeof referralsOf>
