import type { Connect } from './client.ts'

type Parts = { path: string; method: string; headers: Record<string, string>; body: string | undefined }

/** Requests are made once and sent again and again; taking one apart each time would be a part of what is measured. */
const known = new WeakMap<Uint8Array, Parts>()

/** The runtime's own HTTP client, which keeps connections for itself: as many requests under way are as many connections. */
export const connectByFetch: Connect = async (port, { onAnswer, onLost }) => {
  const send = async ({ path, ...request }: Parts) => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, request)
      onAnswer({ status: response.status, body: await response.text() })
    } catch (error) {
      onLost(`fetch: ${(error as Error).message}`)
    }
  }
  return { ask: (request) => void send(partsOf(request)), close: () => {} }
}

const partsOf = (request: string | Uint8Array): Parts => {
  if (typeof request === 'string') return takeApart(request)
  const parts = known.get(request) ?? takeApart(Buffer.from(request).toString('latin1'))
  known.set(request, parts)
  return parts
}

/** What `postRequest` and `getRequest` have put together. Host and length are the client's own business. */
const takeApart = (text: string): Parts => {
  const [head = '', body] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2)))
  delete headers['content-length']
  delete headers.host
  return { path, method, headers, body: body || undefined }
}
