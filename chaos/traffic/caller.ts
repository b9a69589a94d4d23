import { connect, type Socket } from 'node:net'
import { answerIn } from './read-answer.ts'

export type Answer = {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: any response of the service; the ledger reads two fields of it
  body: any
  milliseconds: number
}

type Request = { method?: string; path: string; body?: unknown; raw?: string; headers?: Record<string, string> }
export type Caller = ReturnType<typeof openCaller>

type Options = { port: number; host?: string; isKept?: boolean; timeoutMs?: number }

/**
 * One caller with one connection that sends one request at a time and never retries: `fetch` retries when a kept-alive
 * connection breaks, and then the ledger would miss a request. `null`: no response.
 */
export const openCaller = ({ port, host = '127.0.0.1', isKept = true, timeoutMs = 20_000 }: Options) => {
  let socket: Socket | null = null
  let failure = ''

  const connected = () =>
    socket && !socket.destroyed && socket.readyState === 'open' ? socket : connect({ port, host, noDelay: true })

  const ask = (request: Request): Promise<Answer | null> => {
    const started = performance.now()
    const line = connected()
    socket = line
    return new Promise((resolve) => {
      let text: Buffer = Buffer.alloc(0)
      const finish = (answer: Answer | null, why = '') => {
        failure = why
        clearTimeout(timer)
        for (const name of ['data', 'end', 'close', 'error']) line.removeAllListeners(name)
        line.on('error', () => {})
        // After `connection: close` the next call reconnects.
        if (!answer || !isKept || answer.headers.connection === 'close') {
          line.destroy()
          socket = null
        } else line.once('end', () => line.destroy())
        resolve(answer)
      }
      const timer = setTimeout(finish, timeoutMs, null, 'within the timeout')
      line.on('data', (chunk: Buffer) => {
        text = text.length === 0 ? chunk : Buffer.concat([text, chunk])
        const answer = answerIn(text)
        if (answer) finish({ ...answer, milliseconds: performance.now() - started })
      })
      line.on('error', (error: Error & { code?: string }) => finish(null, `but ${error.code ?? error.message}`))
      for (const name of ['end', 'close']) line.on(name, () => finish(null, 'but the end of the connection'))
      line.write(requestText(request, isKept))
    })
  }
  return {
    ask,
    /** Why the last call had no response. */
    failure: () => failure,
    close: () => socket?.destroy(),
  }
}

const requestText = ({ method = 'POST', path, body, raw, headers = {} }: Request, isKept: boolean) => {
  const content = raw ?? (body === undefined ? '' : JSON.stringify(body))
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(content)),
    connection: isKept ? 'keep-alive' : 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${content}`
}
