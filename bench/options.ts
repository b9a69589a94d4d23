import { parseArgs } from 'node:util'
import type { Amounts } from './fill/fill.ts'
import { CLIENTS, type ClientName } from './load/client.ts'
import { PAYERS, type Payer } from './traffic/webhooks.ts'

export const PARTS = ['pages', 'clicks', 'leads', 'sales', 'webhooks'] as const
export type Part = (typeof PARTS)[number]

export type Options = {
  parts: Part[]
  processor: Payer
  seconds: number
  rounds: number
  workers: number
  filled: Amounts | null
  data: string | null
  cold: boolean
  soakSeconds: number
  deliveries: number
  client: ClientName
  baseline: string
  saveBaseline: boolean
  out: string
}

const TEN_MILLION = '10000000'
const HELP = `npm run bench -- [options]

Measures the service next to a bare server that echoes JSON (the floor), alternating in one run, and then verifies that
everything acknowledged is stored. Read the figures as shares of the floor: machines differ, and so do two hours of one.

  --quick              one short round of each, as a smoke test
  --full               also on a database with ten million clicks (--clicks ${TEN_MILLION})
  --clicks 1000000     also on a database with this many clicks, a fiftieth as many leads and a two-hundredth as many sales
  --data folder        keep that database in this folder and reuse it next time
  --cold               do not read that database into memory before each part
  --only sales,leads   only these parts: ${PARTS.join(', ')}
  --processor paddle   who reports the payments of the webhooks: ${PAYERS.join(', ')}
  --seconds 4          length of a round
  --rounds 3           rounds of each; the table shows medians
  --workers 2          also with this many processes (0 to skip)
  --client fetch       use an ordinary HTTP client instead of the leanest one (${CLIENTS.join(', ')})
  --soak 10m           then send clicks for this long at a quarter of the highest rate and watch memory
  --deliveries 1000000 then send webhooks to a local receiver for half a minute while this many wait
  --baseline file      compare with this run instead of bench/baseline.json
  --save-baseline      make this run the baseline
  --out folder         folder for results.json, results.md and chart.svg (bench/results)
  --help               show this text
`

/** Reads the command line; prints an error and exits if it is invalid. */
export const readOptions = (args: string[]): Options => {
  try {
    const options = parse(args)
    if (options) return options
    console.log(HELP)
    process.exit(0)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`)
    process.exit(2)
  }
}

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

/** Null: only help was requested. */
export const parse = (args: string[]): Options | null => {
  const { values } = parseArgs({
    args,
    options: {
      quick: flag,
      full: flag,
      'save-baseline': flag,
      cold: flag,
      help: flag,
      clicks: text,
      data: text,
      only: text,
      processor: text,
      seconds: text,
      rounds: text,
      workers: text,
      client: text,
      soak: text,
      deliveries: text,
      baseline: text,
      out: text,
    },
  })
  if (values.help) return null
  const clicks = values.clicks ?? (values.full ? TEN_MILLION : null)
  return {
    parts: values.only ? partsIn(values.only) : [...PARTS],
    processor: processorIn(values.processor ?? 'stripe'),
    seconds: positive('seconds', values.seconds ?? (values.quick ? '2' : '4')),
    rounds: positive('rounds', values.rounds ?? (values.quick ? '1' : '3')),
    workers: values.workers === '0' ? 0 : positive('workers', values.workers ?? '2'),
    filled: clicks === null ? null : amountsOf(positive('clicks', clicks)),
    data: values.data ?? null,
    cold: values.cold,
    soakSeconds: values.soak ? secondsIn(values.soak) : 0,
    deliveries: values.deliveries ? positive('deliveries', values.deliveries) : 0,
    client: clientIn(values.client ?? 'socket'),
    baseline: values.baseline ?? 'bench/baseline.json',
    saveBaseline: values['save-baseline'],
    out: values.out ?? 'bench/results',
  }
}

const amountsOf = (clicks: number): Amounts => ({
  clicks,
  leads: Math.ceil(clicks / 50),
  sales: Math.ceil(clicks / 200),
})

const partsIn = (list: string) =>
  list.split(',').map((name) => {
    const part = PARTS.find((one) => one === name.trim())
    if (!part) throw new Error(`--only takes ${PARTS.join(', ')}, not "${name}".`)
    return part
  })

const processorIn = (value: string) => {
  const processor = PAYERS.find((one) => one === value)
  if (!processor) throw new Error(`--processor takes ${PAYERS.join(', ')}, not "${value}".`)
  return processor
}

const clientIn = (value: string) => {
  const client = CLIENTS.find((one) => one === value)
  if (!client) throw new Error(`--client takes ${CLIENTS.join(' or ')}, not "${value}".`)
  return client
}

const positive = (name: string, value: string) => {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${name} takes a whole number above 0, not "${value}".`)
  return number
}

const secondsIn = (value: string) => {
  const [, amount = '', unit = ''] = /^(\d+)(s|m|h)$/.exec(value) ?? []
  const seconds = Number(amount) * ({ s: 1, m: 60, h: 3600 }[unit] ?? 0)
  if (!seconds) throw new Error(`--soak takes a time such as 10m, not "${value}".`)
  return seconds
}
