import type { Shop } from '../instance/shop.ts'

export type Reader = ReturnType<typeof startPuller>

type From = { port: number; shop: Shop; after: number }

const PAUSE_MS = 100
const TIMEOUT_MS = 5_000

/** What one consumer of `GET /api/v1/events` got. It continues where it was after every error. */
const keepReading = (name: string, after: number, read: (last: number, add: (sequence: number) => void) => unknown) => {
  const sequences: number[] = []
  let isStopped = false
  const last = () => sequences.at(-1) ?? after
  const reading = (async () => {
    while (!isStopped) {
      await Promise.resolve(read(last(), (sequence) => void sequences.push(sequence))).catch(() => {})
      await Bun.sleep(PAUSE_MS)
    }
  })()
  return {
    name,
    sequences,
    last,
    stop: () => {
      isStopped = true
      return reading
    },
  }
}

const ask = ({ port, shop }: From, query: string, headers: Record<string, string>, signal: AbortSignal) =>
  fetch(`http://127.0.0.1:${port}/api/v1/events${query}`, {
    headers: { authorization: `Bearer ${shop.key}`, ...headers },
    signal,
  })

export const startPuller = (from: From) =>
  keepReading('pull', from.after, async (last, add) => {
    const response = await ask(from, `?after=${last}&limit=50`, {}, AbortSignal.timeout(TIMEOUT_MS))
    if (response.status !== 200) return
    const { data } = (await response.json()) as { data: { sequence: number }[] }
    for (const { sequence } of data) add(sequence)
  })

/** Reconnects as a browser's EventSource does, also when nothing has arrived for a while. */
export const startStreamer = (from: From) => {
  let abort = new AbortController()
  const reader = keepReading('stream', from.after, async (last, add) => {
    abort = new AbortController()
    const headers = { accept: 'text/event-stream', 'last-event-id': String(last) }
    const response = await ask(from, '', headers, abort.signal)
    let text = ''
    let silence = setTimeout(() => abort.abort(), TIMEOUT_MS)
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      clearTimeout(silence)
      silence = setTimeout(() => abort.abort(), TIMEOUT_MS)
      const lines = (text + part).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) add(JSON.parse(line.slice(6)).sequence)
    }
  })
  return {
    ...reader,
    stop: () => {
      const stopped = reader.stop()
      abort.abort()
      return stopped
    },
  }
}
