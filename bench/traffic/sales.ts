import { postRequest } from './requests.ts'
import type { Traffic } from './traffic.ts'

export type SalePlan = { kind: 'sales'; apiKey: string; customerKeys: string[]; run: string }

/** Known customers buy, each time with a new invoice, which names the call. */
export const saleTraffic = ({ apiKey, customerKeys, run }: SalePlan): Traffic => {
  const acknowledged: string[] = []
  const authorization = `Bearer ${apiKey}`
  let turn = 0
  return {
    acknowledged,
    next: () => {
      const name = `INV-${run}-${++turn}`
      const body = JSON.stringify({
        customer_key: customerKeys[(turn * 7919) % customerKeys.length],
        amount: 900 + (turn % 200) * 100,
        currency: 'USD',
        invoice_id: name,
        event_name: 'purchase',
        metadata: { plan: `plan-${turn % 20}`, seats: turn % 9 },
      })
      return { bytes: postRequest('/api/v1/track/sale', body, { authorization }), name }
    },
    acknowledge: ({ name }) => acknowledged.push(name),
  }
}
