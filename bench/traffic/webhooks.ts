import { createEvents } from '../../examples/processor/src/create-events.ts'
import { newPayment } from '../../examples/processor/src/payment.ts'
import { signatureHeader } from '../../examples/processor/src/signature.ts'
import { postRequest } from './requests.ts'
import type { Traffic } from './traffic.ts'

export type WebhookPlan = { kind: 'webhooks'; programId: number; secret: string; customerKeys: string[]; run: string }

/** Placeholders in the sample for values that differ between payments. */
const NAME = '~name~'
const KEY = '~key~'

/** All events of one checkout as text, built once because the generator shares the machine. */
const sampleEvents = (programId: number) => {
  const ids = { session: `cs_live_${NAME}`, intent: `pi_${NAME}`, charge: `ch_${NAME}` }
  const metadata = { program_id: String(programId), service_customer_key: KEY }
  const payment = newPayment({ name: NAME, ids, metadata: { session: metadata, intent: metadata } })
  return createEvents({ kind: 'checkout_completed', payment }).map((event, index) =>
    JSON.stringify({ ...event, id: `evt_${index}_${NAME}` }),
  )
}

/** Known customers pay at a processor checkout, which reports each payment in several signed events. */
export const webhookTraffic = ({ programId, secret, customerKeys, run }: WebhookPlan): Traffic => {
  const acknowledged: string[] = []
  const samples = sampleEvents(programId)
  const path = `/api/v1/processor/webhook/${programId}`
  let turn = 0
  return {
    acknowledged,
    next: () => {
      const index = turn % samples.length
      const payment = Math.floor(turn++ / samples.length)
      const name = `${run}x${payment}`
      const key = customerKeys[(payment * 7919) % customerKeys.length] ?? ''
      const body = (samples[index] ?? '').replaceAll(NAME, name).replaceAll(KEY, key)
      const signature = signatureHeader(body, secret)
      return { bytes: postRequest(path, body, { 'stripe-signature': signature }), name: `evt_${index}_${name}` }
    },
    acknowledge: ({ name }) => acknowledged.push(name),
  }
}
