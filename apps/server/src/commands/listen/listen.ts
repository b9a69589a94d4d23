/** tributary listen: forwards a program's events to a receiver on the developer's machine. */

import { parseArgs } from 'node:util'
import { PUBLISHED_EVENT_TYPES } from '@tributary/contract'
import { TRIBUTARY } from '../../config/command-name.ts'
import { StartupError } from '../../config/startup-error.ts'
import { type Terminal, withErrorOutput } from '../terminal.ts'
import { findLatestSequence, followEvents, startAfter, type Timing } from './follow-events.ts'
import { forwardEvent, secretFor } from './forward-event.ts'

const USAGE = `${TRIBUTARY} listen --forward-to http://localhost:4000/hooks [--key trk_…] [--url http://localhost:3000] [--events sale.created,sale.refunded] [--after 41]`

/** Idle: the service sends something at least every few seconds, so a silent connection is dead. */
const TIMING: Timing = { firstRetryMs: 1_000, maxRetryMs: 30_000, idleMs: 60_000 }

export type Listening = {
  forwardTo: string
  key: string
  url: string
  /** All types if empty. */
  types: string[]
  /** Null: only events from now on. */
  after: number | null
}

/** Forwards one event at a time, in order, until the signal aborts. */
export const listen = async (
  { forwardTo, key, url, types, after: given }: Listening,
  { print, signal, timing = TIMING }: Pick<Terminal, 'print'> & { signal: AbortSignal; timing?: Timing },
) => {
  const secret = secretFor(key)
  const from = await startFrom({ url, key }, given, signal)
  print(`Forwarding events of ${url} to ${forwardTo}, starting after event ${from.after}. Press Ctrl-C to stop.`)
  print(`Signing secret: ${secret}`)
  let isCut = false
  const onConnect = () => {
    if (isCut) print('Connected again.')
    isCut = false
  }
  const onCut = (last: number) => {
    if (!isCut) print(`Connection lost after event ${last}. Reconnecting…`)
    isCut = true
  }
  for await (const event of followEvents({ url, key, from, timing, signal, onConnect, onCut })) {
    if (types.length > 0 && !types.includes(event.type)) continue
    const outcome = await forwardEvent(event, { forwardTo, secret, signal })
    if (!signal.aborted) print(`${clockTime()}  ${event.sequence}  ${event.type}  ${event.id}  →  ${outcome}`)
  }
}

const startFrom = async (source: Pick<Listening, 'url' | 'key'>, after: number | null, signal: AbortSignal) => {
  try {
    return await startAfter(source, after ?? (await findLatestSequence(source, signal)), signal)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`${source.url} cannot be reached. Pass the address of your service with --url.`)
  }
}

const clockTime = () => new Date().toTimeString().slice(0, 8)

export const command = withErrorOutput(async ({ args, env, print }) => {
  const options = readOptions(args, env)
  const controller = new AbortController()
  // The launcher's channel closes when it is killed.
  for (const end of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(end, () => controller.abort())
  await listen(options, { print, signal: controller.signal })
  return 0
})

export const readOptions = (args: string[], env: Terminal['env']): Listening => {
  const values = parse(args)
  const key = values.key ?? env.TRIBUTARY_KEY
  if (!key) throw new StartupError('Pass the API key of the program with --key, or set TRIBUTARY_KEY.')
  if (!values['forward-to']) throw new StartupError(`Pass the address of your receiver. Usage: ${USAGE}`)
  return {
    forwardTo: address('--forward-to', values['forward-to']),
    key,
    url: address('--url', values.url ?? env.TRIBUTARY_URL ?? 'http://localhost:3000').replace(/\/+$/, ''),
    types: values.events === undefined ? [] : eventTypes(values.events),
    after: values.after === undefined ? null : sequence(values.after),
  }
}

const parse = (args: string[]) => {
  const text = { type: 'string' } as const
  const options = { 'forward-to': text, key: text, url: text, events: text, after: text }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    const [reason] = (error as Error).message.split(/\.\s|\n/)
    throw new StartupError(`${reason}. Usage: ${USAGE}`)
  }
}

const address = (option: string, given: string) => {
  if (URL.canParse(given) && /^https?:/.test(given)) return given
  throw new StartupError(`${option} must be an address such as http://localhost:4000/hooks, not ${given}.`)
}

/** Refuses a misspelled type, which would silently forward nothing. */
const eventTypes = (given: string) => {
  const types = given.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !(PUBLISHED_EVENT_TYPES as readonly string[]).includes(type))
  if (unknown === undefined) return types
  throw new StartupError(`--events must be event types such as sale.created,sale.refunded, not ${unknown}.`)
}

const sequence = (given: string) => {
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw new StartupError(`--after must be the sequence of an event, such as 41, not ${given}.`)
}
