import type { Socket } from 'bun'
import type { Answer } from './caller.ts'
import { answerIn } from './read-answer.ts'

export type FastCaller = ReturnType<typeof openFastCaller>

type Options = { port: number; timeoutMs: number }

/**
 * Like `openCaller`, for floods: a tenth of the work per call, so that the load can be several times the capacity of
 * the service.
 */
export const openFastCaller = ({ port, timeoutMs }: Options) => {
  let socket: Socket | null = null
  let text: Buffer = Buffer.alloc(0)
  let startedAt = 0
  let failure = ''
  let calls = 0
  let settle: ((answer: Answer | null) => void) | null = null

  const finish = (answer: Answer | null, why = '') => {
    failure = why
    const waiting = settle
    settle = null
    text = Buffer.alloc(0)
    if (!answer || answer.headers.connection === 'close') {
      socket?.terminate()
      socket = null
    }
    waiting?.(answer)
  }
  const handlers = (end: (why: string) => void) => ({
    data: (_: Socket, chunk: Buffer) => {
      text = text.length === 0 ? Buffer.from(chunk) : Buffer.concat([text, chunk])
      const answer = answerIn(text)
      if (answer) finish({ ...answer, milliseconds: performance.now() - startedAt })
    },
    close: () => end('but the end of the connection'),
    error: (_: Socket, error: Error & { code?: string }) => end(`but ${error.code ?? error.message}`),
    connectError: (_: Socket, error: Error & { code?: string }) => end(`but ${error.code ?? error.message}`),
  })
  const connected = async () => {
    if (socket) return socket
    let mine: Socket | null = null
    const lost = (why: string) => {
      if (mine !== socket) return // one that was already given up
      socket = null
      if (settle) finish(null, why)
    }
    mine = await Bun.connect({ hostname: '127.0.0.1', port, socket: handlers(lost) })
    return mine
  }

  return {
    ask: (request: string) =>
      new Promise<Answer | null>((resolve) => {
        startedAt = performance.now()
        const timer = setTimeout(() => finish(null, 'within the timeout'), timeoutMs)
        settle = (answer) => {
          clearTimeout(timer)
          resolve(answer)
        }
        const mine = ++calls
        connected().then(
          (line) => {
            // The call timed out while connecting, so its response is no longer expected.
            if (mine !== calls || !settle) return void line.terminate()
            socket = line
            line.write(request)
          },
          (error) => void (mine === calls && finish(null, `but ${error.code ?? error.message}`)),
        )
      }),
    failure: () => failure,
    close: () => socket?.terminate(),
  }
}
