import type { Connect } from './client.ts'

type Parts = { path: string; method: string; headers: Record<string, string>; body: string | undefined }

/** Requests are built once and sent repeatedly; parsing one each time would distort the measurement. */
const known = new WeakMap<Uint8Array, Parts>()

/** The runtime's HTTP client, which pools connections: each request in flight has its own connection. */
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

/** Parses the output of `postRequest` and `getRequest`. The client sets host and length. */
const takeApart = (text: string): Parts => {
  const [head = '', body] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2)))
  delete headers['content-length']
  delete headers.host
  return { path, method, headers, body: body || undefined }
}
