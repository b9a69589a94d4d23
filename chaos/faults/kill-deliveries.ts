import { createConduct } from '../conduct.ts'
import { marksBeforeSending } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import type { Instance } from '../instance/instance.ts'
import { until } from '../instance/until.ts'
import { createLedger } from '../ledger.ts'
import { openCaller } from '../traffic/caller.ts'
import { startVisitors } from '../traffic/visitors.ts'

/** Longer than a lease: what the dead process was sending is sent again only then. */
const ALL_SENT_MS = 120_000

/** A merchant's server that takes its time, so that the service always dies with requests in flight. */
const startReceiver = () => {
  const idsOf = new Map<string, Set<string>>()
  let requests = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const event = (await request.json()) as { id: string }
      await Bun.sleep(Math.random() * 200)
      // Answered, so whatever was cut off before counts as not received.
      if (request.signal.aborted) return new Response(null, { status: 499 })
      requests++
      const ids = idsOf.get(event.id) ?? new Set()
      idsOf.set(event.id, ids.add(request.headers.get('webhook-id') ?? ''))
      return new Response('ok')
    },
  })
  return { url: `http://127.0.0.1:${server.port}/`, idsOf, requests: () => requests, stop: () => server.stop(true) }
}

const createEndpoint = async ({ port, shop }: Instance, url: string) => {
  const path = `/api/programs/${shop.programId}/webhook-endpoints`
  const request = { method: 'POST', path, body: { url, events: ['*'] }, headers: { cookie: shop.cookie } }
  const answer = await openCaller({ port, isKept: false }).ask(request)
  if (answer?.status !== 201) throw new Error(`the endpoint was not created: ${JSON.stringify(answer?.body)}`)
}

const countPending = async (service: Instance) => {
  const [row] = await service.query(`SELECT
    (SELECT count(*) FROM outbox_events WHERE sequence IS NULL) + (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending') AS open`)
  return Number(row.open)
}

/** The process dies while endpoints have not answered yet. */
export const killDeliveries: Fault = {
  name: 'kill-deliveries',
  promise: 'kill -9 in the middle of webhook deliveries: every event arrives, always with the same webhook-id',
  rounds: { long: 5, short: 1 },
  control: {
    entry: marksBeforeSending,
    wrong: 'marks deliveries as done before they are sent',
    finds: /events: lost/,
  },
  play: async ({ stage, entry, rounds, log }) => {
    const receiver = startReceiver()
    stage.afterwards(receiver.stop)
    const env = { WEBHOOK_ALLOW_HOSTS: '127.0.0.1' }
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry, env })
    await until('every event has its sequence', async () => (await countPending(service)) === 0)
    const [before] = await service.query('SELECT coalesce(max(sequence), 0) AS sequence FROM outbox_events')
    await createEndpoint(service, receiver.url)
    const ledger = createLedger()
    const conduct = createConduct({ mayBreak: true })
    for (let round = 1; round <= rounds; round++) {
      const load = startVisitors({ ...service, ledger, conduct, visitors: 8 })
      const earlier = receiver.requests()
      await until('deliveries are under way', () => receiver.requests() > earlier + 30)
      await service.killOutright()
      await load.stop()
      await service.start()
      await until('everything is sent', async () => (await countPending(service)) === 0, ALL_SENT_MS)
      log(`round ${round}: ${receiver.requests()} requests so far`)
    }
    const events = await service.query(
      `SELECT 'evt_' || program_id || '_' || id AS id FROM outbox_events WHERE sequence > ${before.sequence}`,
    )
    const lost = events.filter(({ id }) => !receiver.idsOf.has(id))
    const doubled = [...receiver.idsOf.values()].filter(({ size }) => size > 1)
    return {
      findings: [
        ...(lost.length > 0 ? [`events: lost ${lost.length} of ${events.length}`] : []),
        ...(doubled.length > 0 ? [`events: ${doubled.length} arrived with two webhook-ids`] : []),
        ...(await service.check(ledger)),
      ],
      figures: `${events.length} events in ${receiver.requests()} requests`,
    }
  },
}
