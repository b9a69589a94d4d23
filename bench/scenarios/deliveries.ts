import { exampleEvent } from '@tributary/contract'
import { type Process, startProcess } from '../processes.ts'
import type { PlayContext } from '../rounds.ts'
import { usageOf } from '../usage.ts'
import type { Benched } from './benched.ts'

const SAMPLES = 6
const STEP_SECONDS = 5
const MEGABYTE = 2 ** 20

type Counted = { requests: number; deliveries: number }

export type Deliveries = {
  pending: number
  perSecond: number
  serviceMicros: number
  postgresMicros: number
  samplesMb: number[]
  failures: string[]
}

/** Sends webhooks to a local receiver while this many wait. */
export const playDeliveries = async (
  { progress }: PlayContext,
  benched: Benched,
  pending: number,
): Promise<Deliveries> => {
  const { pid } = benched.service
  const receiver = startProcess('bench/receiver.ts')
  try {
    const { port } = await receiver.nextMessage<{ port: number }>()
    const endpointId = await createEndpoint(benched, port)
    progress(`deliveries: creating ${pending.toLocaleString('en')}`)
    await createPending(benched, { endpointId, pending })
    await Bun.sleep(STEP_SECONDS * 1_000)
    const before = { usage: usageOf(pid), counted: await count(receiver), at: performance.now() }
    const samplesMb: number[] = []
    for (let sample = 1; sample <= SAMPLES; sample++) {
      await Bun.sleep(STEP_SECONDS * 1_000)
      samplesMb.push(Math.round((usageOf(pid)?.rssBytes ?? Number.NaN) / MEGABYTE))
      progress(`deliveries: ${sample * STEP_SECONDS} of ${SAMPLES * STEP_SECONDS} s, ${samplesMb.at(-1)} MB`)
    }
    const after = { usage: usageOf(pid), counted: await count(receiver), at: performance.now() }
    const sent = after.counted.deliveries - before.counted.deliveries
    const micros = (cpu: 'serviceSeconds' | 'postgresSeconds') =>
      (((after.usage?.[cpu] ?? Number.NaN) - (before.usage?.[cpu] ?? Number.NaN)) * 1e6) / sent
    const twice = after.counted.requests - after.counted.deliveries
    return {
      pending,
      perSecond: (sent * 1_000) / (after.at - before.at),
      samplesMb,
      serviceMicros: micros('serviceSeconds'),
      postgresMicros: micros('postgresSeconds'),
      failures: twice === 0 ? [] : [`${twice} webhooks were sent more than once`],
    }
  } finally {
    await receiver.stop()
  }
}

const count = (receiver: Process) => {
  receiver.send('count')
  return receiver.nextMessage<Counted>()
}

const createEndpoint = async ({ service }: Benched, port: number) => {
  const response = await fetch(
    `http://127.0.0.1:${service.port}/api/programs/${service.program.id}/webhook-endpoints`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: service.program.cookie },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/hooks`, events: ['*'] }),
    },
  )
  if (!response.ok) throw new Error(`Could not add a webhook endpoint: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: { id: number } }).data.id
}

/** Numbered events and their deliveries, as if the receiver had been away. */
const createPending = async (
  { service }: Benched,
  { endpointId, pending }: { endpointId: number; pending: number },
) => {
  const data = JSON.stringify(exampleEvent('sale.created').data)
  await service.pool.query(
    `WITH head AS (UPDATE outbox_heads SET sequence = sequence + $2 WHERE program_id = $1 RETURNING sequence - $2 AS before),
     event AS (
       INSERT INTO outbox_events (program_id, type, occurred_at, data, sequence)
       SELECT $1, 'sale.created', now(), $3::json, head.before + n FROM head, generate_series(1, $2::integer) n
       RETURNING id, sequence, type, occurred_at)
     INSERT INTO webhook_deliveries (program_id, endpoint_id, event_id, sequence, type, next_attempt_at, created_at)
     SELECT $1, $4, id, sequence, type, occurred_at, occurred_at FROM event`,
    [service.program.id, pending, data, endpointId],
  )
  await service.pool.query('VACUUM (ANALYZE) outbox_events, webhook_deliveries')
}
