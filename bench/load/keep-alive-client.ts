import type { Socket } from 'bun'
import type { Answer, Connect } from './client.ts'

type State = { received: string; unsent: Uint8Array | null; closing: boolean }

/** One keep-alive connection with one request in flight. `fetch` would dominate the measurement. */
export const connectBySocket: Connect = async (port, { onAnswer, onLost }) => {
  const socket = await Bun.connect<State>({
    hostname: '127.0.0.1',
    port,
    data: { received: '', unsent: null, closing: false },
    socket: {
      data: (socket, chunk) => {
        const state = socket.data
        state.received += chunk.toString('latin1')
        const answer = readAnswer(state.received)
        if (!answer) return
        state.received = ''
        onAnswer(answer)
      },
      drain: (socket) => send(socket, socket.data.unsent),
      close: (socket) => {
        if (!socket.data.closing) onLost('the server closed a connection')
      },
    },
  })
  return {
    ask: (request) => send(socket, typeof request === 'string' ? Buffer.from(request) : request),
    close: () => {
      socket.data.closing = true
      socket.end()
    },
  }
}

/** The kernel may take only a part; the rest follows on drain. */
const send = (socket: Socket<State>, bytes: Uint8Array | null) => {
  if (!bytes) return
  const written = socket.write(bytes)
  socket.data.unsent = written < bytes.length ? bytes.subarray(Math.max(written, 0)) : null
}

/** Null until the response is complete. Both servers send its length. */
const readAnswer = (text: string): Answer | null => {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  if (!length) throw new Error(`a response without content-length: ${text.slice(0, 200)}`)
  if (text.length < end + 4 + Number(length)) return null
  return { status: Number(text.slice(9, 12)), body: text.slice(end + 4) }
}
