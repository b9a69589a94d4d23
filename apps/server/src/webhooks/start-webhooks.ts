import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { remember } from '../database/monitoring/register-gauges.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { countPending } from './deliveries.ts'
import { startDelivering } from './delivery/worker.ts'
import { createPost } from './sending/post.ts'
import type { AddressRules } from './sending/public-addresses.ts'

/** How long a count of the backlog is used again. */
const COUNT_MS = 30_000

type Options = { db: Database; clock: Clock; log: Log; metrics: Metrics; sealKey: Buffer; rules: AddressRules }

/** Delivers webhooks in this process, and measures it. */
export const startWebhooks = ({ rules, metrics, ...options }: Options) => {
  const { post, close } = createPost(rules)
  const { wake, stop, inFlight } = startDelivering({ ...options, post, onAttempt: metrics.webhookAttempt })
  const backlog = remember(options.clock, () => countPending(options.db).catch(() => null), COUNT_MS)
  metrics.gauge('webhook_in_flight', 'Webhook requests that wait for an answer', inFlight)
  // Every process counts the same rows, so the processes' values must not be added up.
  metrics.gauge('webhook_backlog', 'Webhook deliveries to enabled endpoints that wait or are retried', backlog, 'max')
  return {
    wake,
    stop: async () => {
      await stop()
      close()
    },
  }
}
