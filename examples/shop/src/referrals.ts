import { Tributary } from '@tributary/sdk'
import type { ShopConfig } from './config.ts'
import type { Customer, Order } from './customers.ts'
import type { Plan } from './plans.ts'
import { createReports } from './reports.ts'

/** Time budget of a call while the customer waits, and the delay before it is retried in the background. */
export type RetryOptions = { budgetMs: number; retryAfterMs: number }

type Options = { log: (message: string) => void; retry: RetryOptions }

/** Everything the shop reports to Tributary. Customers never see a failed report. */
export const createReferrals = ({ apiKey, tributaryUrl, programId }: ShopConfig, { log, retry }: Options) => {
  const { budgetMs, retryAfterMs } = retry
  const tributary = new Tributary({ apiKey, baseUrl: tributaryUrl, budgetMs })
  const reports = createReports({ log, retryAfterMs })
  return {
    /** Visitors without a click were not referred. */
    reportLead: async (customer: Customer, cookies: string | undefined) => {
      const clickId = tributary.clickIdFromCookies(cookies)
      if (!clickId) return
      const lead = { customerExternalId: customer.id, clickId, email: customer.email }
      await reports.submit(customer.id, {
        what: `Lead ${customer.id}`,
        send: () => tributary.trackLead(lead),
      })
    },

    /** Sets the three keys on the session and on the subscription, so renewals are attributed too. */
    checkoutKeys: <Mode extends Plan['mode']>(customer: Customer, cookies: string | undefined, mode: Mode) =>
      tributary.checkoutMetadata({
        clickId: tributary.clickIdFromCookies(cookies),
        customerExternalId: customer.id,
        programId,
        mode,
      }),

    reportSale: (customer: Customer, { id, plan }: Order) => {
      const sale = {
        customerExternalId: customer.id,
        amount: plan.amountCents,
        invoiceId: id,
        currency: plan.currency.toUpperCase(),
      }
      return reports.submit(customer.id, { what: `Sale ${id}`, send: () => tributary.trackSale(sale) })
    },

    reportRefund: (customer: Customer, { id, plan }: Order) => {
      const refund = { invoiceId: id, amount: plan.amountCents, refundId: `${id}-refund` }
      return reports.submit(customer.id, { what: `Refund of ${id}`, send: () => tributary.trackRefund(refund) })
    },

    close: reports.close,
  }
}

export type Referrals = ReturnType<typeof createReferrals>
