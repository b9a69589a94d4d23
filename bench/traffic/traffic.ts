import { type ClickPlan, clickTraffic } from './clicks.ts'
import { type LeadPlan, leadTraffic } from './leads.ts'
import { type PagePlan, pageTraffic } from './pages.ts'
import { type SalePlan, saleTraffic } from './sales.ts'
import { type WebhookPlan, webhookTraffic } from './webhooks.ts'

/** A request as bytes, and the name that the sender gives it. */
export type Request = { bytes: string | Uint8Array; name: string }

/** The next request, null once none is left, and the names of the acknowledged calls. */
export type Traffic = {
  next(): Request | null
  acknowledge(request: Request, answer: string): void
  acknowledged: string[]
}

/** What the load process has to send. */
export type Plan = ClickPlan | LeadPlan | SalePlan | WebhookPlan | PagePlan

export const makeTraffic = (plan: Plan): Traffic => {
  switch (plan.kind) {
    case 'clicks':
      return clickTraffic(plan)
    case 'leads':
      return leadTraffic(plan)
    case 'sales':
      return saleTraffic(plan)
    case 'webhooks':
      return webhookTraffic(plan)
    case 'pages':
      return pageTraffic(plan)
  }
}
