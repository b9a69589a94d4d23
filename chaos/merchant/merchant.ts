import type { Instance } from '../instance/instance.ts'
import type { Stage } from '../instance/stage.ts'
import { until } from '../instance/until.ts'
import { openCaller } from '../traffic/caller.ts'
import { findMissedEvents } from './missed-events.ts'
import { startPuller, startStreamer } from './readers.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** Allows the receivers. */
export const LOCAL_RECEIVERS = { WEBHOOK_ALLOW_HOSTS: '127.0.0.1' }

/** Longer than a lease: what a dead process was sending is sent again only then. */
const ALL_SENT_MS = 120_000

const createEndpoint = async ({ port, shop }: Instance, { url, ordered }: Receiver) => {
  const path = `/api/programs/${shop.programId}/webhook-endpoints`
  const request = { method: 'POST', path, body: { url, ordered, events: ['*'] }, headers: { cookie: shop.cookie } }
  const answer = await openCaller({ port, isKept: false }).ask(request)
  if (answer?.status !== 201) throw new Error(`the endpoint was not created: ${JSON.stringify(answer?.body)}`)
  return answer.body.data.secret as string
}

const countOpen = async (service: Instance) => {
  const [row] = await service.query(`SELECT
    (SELECT count(*) FROM outbox_events WHERE sequence IS NULL) + (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending') AS open`)
  return Number(row.open)
}

/** A merchant who follows the program's events in every way: two endpoints, a consumer that pulls, and one that streams. */
export const openMerchant = async (stage: Stage, service: Instance, { answerMs = 200 } = {}) => {
  const untilSent = () => until('every event is sent', async () => (await countOpen(service)) === 0, ALL_SENT_MS)
  await untilSent()
  const [head] = await service.query('SELECT coalesce(max(sequence), 0) AS sequence FROM outbox_events')
  const after = Number(head.sequence)
  const receivers = [
    startReceiver({ name: 'endpoint', ordered: false, answerMs }),
    // One request at a time: with long answers it would fall behind.
    startReceiver({ name: 'ordered endpoint', ordered: true, answerMs: answerMs / 10 }),
  ]
  for (const receiver of receivers) {
    stage.afterwards(receiver.stop)
    receiver.trust(await createEndpoint(service, receiver))
  }
  const readers = [startPuller({ ...service, after }), startStreamer({ ...service, after })]
  for (const reader of readers) stage.afterwards(reader.stop)
  const requests = () => receivers.reduce((sum, receiver) => sum + receiver.requests(), 0)

  return {
    receivers,
    requests,
    /** Both endpoints are in the middle of something. */
    untilBusy: async (count = 20) => {
      const before = receivers.map((receiver) => receiver.requests())
      await until('deliveries are under way', () =>
        receivers.every((receiver, index) => receiver.requests() > (before[index] ?? 0) + count),
      )
    },
    untilSent,
    /** Waits until everything has arrived. Everything that is missing, doubled or in the wrong order. */
    check: async () => {
      const unsent = await untilSent().then(
        () => [],
        ({ message }: Error) => [message],
      )
      return [...unsent, ...(await findMissedEvents(service, { after, receivers, readers }))]
    },
    figures: () => {
      const repeats = receivers.reduce((sum, receiver) => sum + receiver.repeats(), 0)
      return `${receivers[0]?.applied.length} events to two endpoints in ${requests()} requests, ${repeats} of them repeats`
    },
  }
}
