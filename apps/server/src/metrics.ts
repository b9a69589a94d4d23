import { VERSION } from '@tributary/contract/version'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>
export type MetricValues = Awaited<ReturnType<Metrics['values']>>

type RequestMeasure = {
  method: string
  route: string
  status: number
  milliseconds: number
  code?: string
  reason?: string
  traceparent?: string | undefined
}

type Reading = number | null
type Aggregator = 'sum' | 'min' | 'max'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** Prometheus metrics. */
export const createMetrics = () => {
  const registers = [new Registry()]
  const name = (text: string) => `tributary_${text}`
  const counter = <Label extends string>(text: string, help: string, labelNames: Label[]) =>
    new Counter({ name: name(text), help, labelNames, registers })
  const requests = counter('requests_total', 'Requests answered', ['method', 'route', 'status'])
  const latency = new Histogram({
    name: name('request_seconds'),
    help: 'Time to answer',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const refusals = counter('refusals_total', 'Requests refused, by error code', ['code'])
  const unavailable = counter('unavailable_total', 'Requests answered with 503, by reason', ['reason'])
  const webhooks = counter('webhook_attempts_total', 'Webhook requests sent, by result', ['result'])
  const batches = new Histogram({
    name: name('click_batch_size'),
    help: 'Clicks committed together',
    buckets: BATCH_SIZES,
    registers,
  })
  const build = new Gauge({
    name: name('build_info'),
    help: 'The running version',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  })
  build.set({ version: VERSION }, 1)

  return {
    request: ({ method, route, status, milliseconds, code, reason }: RequestMeasure) => {
      requests.inc({ method, route, status })
      latency.observe({ route }, milliseconds / 1000)
      if (code) refusals.inc({ code })
      if (status === 503) unavailable.inc({ reason: reason ?? 'other' })
    },
    clickBatch: (size: number) => batches.observe(size),
    webhookAttempt: (result: 'delivered' | 'failed') => webhooks.inc({ result }),
    /** A value that is read on each scrape; null leaves it out. */
    gauge: (text: string, help: string, read: () => Reading | Promise<Reading>, aggregator: Aggregator = 'sum') => {
      new Gauge({
        name: name(text),
        help,
        aggregator,
        registers,
        async collect() {
          const value = await read()
          if (value === null) this.remove()
          else this.set(value)
        },
      })
    },
    /** For the parent of several workers, which adds them up. */
    values: () => registers[0]?.getMetricsAsJSON() ?? Promise.resolve([]),
    text: () => registers[0]?.metrics() ?? Promise.resolve(''),
  }
}

/** The counters and histograms of several processes, added up. A gauge of a process that has ended means nothing. */
export const addCounters = (values: MetricValues[]): Promise<MetricValues> =>
  AggregatorRegistry.aggregate(
    values.map((metrics) => metrics.filter(({ type }) => String(type) !== 'gauge')),
  ).getMetricsAsJSON()

/** Adds up the metrics of several processes, because a scrape of the shared port reaches only one. */
export const aggregateText = (values: MetricValues[]) => AggregatorRegistry.aggregate(values).metrics()
