import { postRequest } from './requests.ts'
import type { Traffic } from './traffic.ts'

export type LeadPlan = { kind: 'leads'; apiKey: string; clickIds: string[]; run: string }

/** Each visitor signs up once as a new customer; calls are named by the customer key. */
export const leadTraffic = ({ apiKey, clickIds, run }: LeadPlan): Traffic => {
  const acknowledged: string[] = []
  const authorization = `Bearer ${apiKey}`
  let turn = 0
  return {
    acknowledged,
    next: () => {
      const clickId = clickIds[turn++]
      if (!clickId) return null
      const name = `user-${run}-${turn}`
      const body = JSON.stringify({ customer_key: name, click_id: clickId, email: `${name}@example.com` })
      return { bytes: postRequest('/api/v1/track/lead', body, { authorization }), name }
    },
    acknowledge: ({ name }) => acknowledged.push(name),
  }
}
