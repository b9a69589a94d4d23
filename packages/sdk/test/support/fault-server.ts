import { afterAll } from 'bun:test'
import { createServer, type Socket } from 'node:net'

/** What the server does with a request. The first fault applies to the first request, and so on; the last one repeats. */
export type Fault =
  | 'reset'
  | 'hang'
  /** Sends less than its content length, then closes. */
  | 'half answer'
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Forwards the call to the service, which commits it. With `but`, the caller gets that fault instead of the response. */
  | { forwardTo: string; but?: 'reset' | 'half answer' }

export type SeenRequest = { path: string; headers: Record<string, string>; body: string }

/** A server on a real socket that produces the given faults. */
export const startFaultServer = async (...faults: Fault[]) => {
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  let onHang = () => {}
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let received = ''
    socket.on('data', async (chunk) => {
      received += chunk
      const request = parse(received)
      if (!request) return
      received = ''
      requests.push(request)
      const fault = faults[Math.min(requests.length, faults.length) - 1] ?? 'reset'
      if (fault === 'hang') return onHang()
      await misbehave(socket, request, fault)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Called whenever a request hangs. */
    whenHanging: (call: () => void) => {
      onHang = call
    },
  }
}
export type FaultServer = Awaited<ReturnType<typeof startFaultServer>>

const parse = (text: string): SeenRequest | null => {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [start = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = text.slice(end + 4)
  if (Buffer.byteLength(body) < Number(headers['content-length'] ?? 0)) return null
  return { path: start.split(' ')[1] ?? '', headers, body }
}

const misbehave = async (socket: Socket, request: SeenRequest, fault: Exclude<Fault, 'hang'>) => {
  if (fault === 'reset') return socket.resetAndDestroy()
  if (fault === 'half answer')
    return socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"success": tr')
  if ('status' in fault) return socket.end(answer(fault.status, fault.headers ?? {}, fault.body ?? ''))
  const { authorization = '' } = request.headers
  const response = await fetch(fault.forwardTo + request.path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: request.body,
  })
  const body = await response.text()
  if (fault.but) return misbehave(socket, request, fault.but)
  socket.end(answer(response.status, { 'content-type': 'application/json' }, body))
}

const answer = (status: number, headers: Record<string, string>, body: string) => {
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  return `HTTP/1.1 ${status} Something\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}
