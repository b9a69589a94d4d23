import { createEvents } from '../../examples/processor/src/create-events.ts'
import {
  createFakeOf,
  isProcessorName,
  type ProcessorName,
  secretOf,
} from '../../examples/processor/src/fakes/index.ts'
import { newPayment } from '../../examples/processor/src/payment.ts'
import { signatureHeader } from '../../examples/processor/src/signature.ts'
import { postRequest } from './requests.ts'
import type { Request, Traffic } from './traffic.ts'

export const PAYERS = ['stripe', 'paddle', 'lemonsqueezy', 'polar', 'dodo'] as const
export type Payer = (typeof PAYERS)[number]

export type WebhookPlan = {
  kind: 'webhooks'
  processor: Payer
  programId: number
  secret: string
  customerKeys: string[]
  run: string
}

/** The benchmark's signing secret at each of them. */
export const webhookSecretOf = (processor: Payer) =>
  isProcessorName(processor)
    ? secretOf(processor, '0123456789abcdef0123456789abcdef')
    : 'whsec_of_the_benchmark_and_nobody_else'

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

/** Known customers pay at a processor checkout, which reports each payment in signed events. */
export const webhookTraffic = ({ processor, ...plan }: WebhookPlan): Traffic =>
  isProcessorName(processor) ? trafficOfFake(processor, plan) : trafficOfSamples(plan)

type Payments = Omit<WebhookPlan, 'kind' | 'processor'>

/** Acknowledges the payment's name once all of its events are: `paid_<payment>`. */
const trafficOfFake = (processor: ProcessorName, { programId, secret, customerKeys, run }: Payments): Traffic => {
  const acknowledged: string[] = []
  const fake = createFakeOf(processor, { secret })
  const path = `/api/v1/processor/${processor}/webhook/${programId}`
  const waiting = new Map<string, number>()
  let payments = 0
  let due: Request[] = []
  const pay = () => {
    const name = `paid_${run}x${payments}`
    const key = customerKeys[(payments++ * 7919) % customerKeys.length] ?? ''
    const metadata = { program_id: String(programId), service_customer_key: key, service_invoice_id: name }
    const deliveries = fake.checkout(name, { customer: key, metadata })
    waiting.set(name, deliveries.length)
    return deliveries.map(({ body, headers: { 'content-type': _, ...headers } }) => ({
      bytes: postRequest(path, Buffer.from(body).toString('latin1'), headers),
      name,
    }))
  }
  return {
    acknowledged,
    next: () => {
      if (due.length === 0) due = pay()
      return due.shift() ?? null
    },
    acknowledge: ({ name }) => {
      const left = (waiting.get(name) ?? 0) - 1
      waiting.set(name, left)
      if (left === 0) acknowledged.push(name)
    },
  }
}

const trafficOfSamples = ({ programId, secret, customerKeys, run }: Payments): Traffic => {
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
