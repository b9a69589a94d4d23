import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { StartupError } from '../../config/startup-error.ts'

export type Source = { url: string; key: string }
/** An event and its exact JSON. */
export type Followed = { id: string; sequence: number; type: string; json: string }
/** The last event, and the epoch of the service in which it was read, if known. */
export type Position = { after: number; epoch: string | null }
export type Timing = { firstRetryMs: number; maxRetryMs: number; idleMs: number }

type Options = Source & {
  from: Position
  timing: Timing
  signal: AbortSignal
  onConnect: () => void
  /** Called before each wait, with the sequence to continue after. */
  onCut: (after: number) => void
}

/**
 * Yields a program's events in order, starting after a sequence. When the connection is lost it reconnects and asks for what comes
 * after the last event, so nothing is skipped or repeated. Only an error that waiting cannot fix ends it.
 */
export const followEvents = async function* (options: Options): AsyncGenerator<Followed> {
  const { timing, signal, onConnect, onCut } = options
  let { after, epoch } = options.from
  let failures = 0
  while (!signal.aborted) {
    const connection = new AbortController()
    const idle = restartable(timing.idleMs, () => connection.abort())
    try {
      const body = await open({ ...options, from: { after, epoch } }, AbortSignal.any([signal, connection.signal]))
      failures = 0
      onConnect()
      for await (const { id, data } of readMessages(body, idle.restart)) {
        const event = readEvent(data)
        if (event.sequence <= after) continue
        // The receiver may be slower than the stream is silent.
        idle.stop()
        yield event
        idle.restart()
        after = event.sequence
        epoch = epochOf(id)
      }
    } catch (error) {
      if (error instanceof StartupError) throw error
    } finally {
      idle.stop()
      connection.abort()
    }
    if (signal.aborted) return
    onCut(after)
    await sleep(Math.min(timing.maxRetryMs, timing.firstRetryMs * 2 ** failures), signal)
    failures += 1
  }
}

/** Where to continue after a sequence: the epoch is that of the service now. */
export const startAfter = async (source: Source, after: number, signal: AbortSignal): Promise<Position> => {
  const response = await get(source, `/api/v1/events?after=${after}&limit=1`, 'application/json', signal)
  await requireOk(source, response)
  const { epoch = null } = (await response.json()) as { epoch?: number }
  return { after, epoch: epoch === null ? null : `${epoch}` }
}

/** The sequence of the latest event. The service answers what comes after a sequence, so this searches for the last one. */
export const findLatestSequence = async (source: Source, signal: AbortSignal): Promise<number> => {
  const hasEventAfter = async (after: number) => {
    const response = await get(source, `/api/v1/events?after=${after}&limit=1`, 'application/json', signal)
    // Expired events were followed by later ones. 409: past the last event.
    if (response.status === 410 || response.status === 409) return response.status === 410
    await requireOk(source, response)
    return ((await response.json()) as { data: unknown[] }).data.length > 0
  }
  let [low, high] = [0, 1]
  if (!(await hasEventAfter(low))) return 0
  while (await hasEventAfter(high)) [low, high] = [high, high * 2]
  // There is an event after `low`, and none after `high`.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await hasEventAfter(middle)) low = middle
    else high = middle
  }
  return high
}

/** Calls `onActivity` also for comments, which only keep the connection open. */
const readMessages = async function* (body: ReadableStream<Uint8Array>, onActivity: () => void) {
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    onActivity()
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* messages.splice(0)
  }
}

/** The ID of an event in the stream is its sequence, followed by the epoch if it is not 0. */
const epochOf = (streamId = '') => streamId.split('-')[1] ?? '0'

const open = async (options: Source & { from: Position }, signal: AbortSignal) => {
  const { after, epoch } = options.from
  const query = `after=${after}${epoch === null ? '' : `&epoch=${epoch}`}`
  const response = await get(options, `/api/v1/events?${query}`, 'text/event-stream', signal)
  await requireOk(options, response)
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new StartupError(
      `${options.url} did not answer with a stream of events. Check --url and any proxy in between.`,
    )
  return response.body
}

const get = async ({ url, key }: Source, path: string, accept: string, signal: AbortSignal) =>
  fetch(url + path, { headers: { accept, authorization: `Bearer ${key}` }, redirect: 'manual', signal })

/** A busy or restarting service is worth another attempt; any other error needs the caller. */
const requireOk = async ({ url }: Source, response: Response) => {
  if (response.ok) return
  if (response.status === 429 || response.status >= 500) throw new Error(`the service answered ${response.status}`)
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  throw new StartupError(
    body?.error?.message ?? `${url} answered ${response.status}. Pass the address of your service with --url.`,
  )
}

const readEvent = (json: string): Followed => {
  const { id, sequence, type } = JSON.parse(json) as Followed
  return { id, sequence, type, json }
}

/** Calls `ring` after the delay unless it is restarted or stopped before. */
const restartable = (delayMs: number, ring: () => void) => {
  let timer = setTimeout(ring, delayMs)
  return {
    restart: () => {
      clearTimeout(timer)
      timer = setTimeout(ring, delayMs)
    },
    stop: () => clearTimeout(timer),
  }
}

const sleep = (delayMs: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, delayMs)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
