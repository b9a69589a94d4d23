import { afterAll } from 'bun:test'
import { createServer, type Socket } from 'node:net'

type Habits = {
  /** Never sends a byte. */
  silent?: boolean
  /** Continues its first response after the greeting forever, without a long pause. */
  endless?: boolean
  /** Its response to RCPT TO; `$to` is the recipient. */
  toRecipient?: string
  /** Accepts a message, but the connection breaks before it says so. */
  hangsUp?: boolean
}
export type Received = { from: string; to: string; raw: string; header: string; text: string; html: string }

/** A mail server that accepts and keeps every message, or misbehaves. */
export const startSmtp = async (habits: Habits = {}) => {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (habits.silent) return
    socket.write('220 stand-in\r\n')
    talk(socket, { habits, keep: (letter) => received.push(letter) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const mail = { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Tributary <no-reply@example.com>' }
  return { mail, received, talkingTo: () => sockets.size }
}

const drip = (socket: Socket) => {
  const timer = setInterval(() => socket.write('250-wait\r\n'), 20)
  socket.on('close', () => clearInterval(timer))
}

const talk = (socket: Socket, { habits, keep }: { habits: Habits; keep: (letter: Received) => void }) => {
  const { toRecipient = '250 ok' } = habits
  let waiting = ''
  let letter: { from: string; to: string; lines: string[] | null } = { from: '', to: '', lines: null }
  const handleLine = (line: string) => {
    if (letter.lines && line !== '.') return letter.lines.push(line)
    if (letter.lines) {
      keep(opened({ ...letter, raw: letter.lines.join('\r\n') }))
      letter = { from: '', to: '', lines: null }
      if (habits.hangsUp) return socket.destroy()
      return socket.write('250 kept\r\n')
    }
    const address = /<(.*?)>/.exec(line)?.[1] ?? ''
    if (/^EHLO/i.test(line)) return habits.endless ? drip(socket) : socket.write('250 stand-in\r\n')
    if (/^MAIL/i.test(line)) letter.from = address
    if (/^RCPT/i.test(line)) {
      letter.to = address
      return socket.write(`${toRecipient.replace('$to', address)}\r\n`)
    }
    if (/^DATA/i.test(line)) letter.lines = []
    return socket.write(letter.lines ? '354 go on\r\n' : '250 ok\r\n')
  }
  socket.on('data', (data) => {
    const lines = (waiting + data.toString('utf8')).split('\r\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) handleLine(line)
  })
}

const opened = ({ from, to, raw }: { from: string; to: string; raw: string }): Received => {
  const end = raw.indexOf('\r\n\r\n')
  return { from, to, raw, header: raw.slice(0, end), text: part(raw, 'text/plain'), html: part(raw, 'text/html') }
}

/** One part of the message as its reader sees it. */
const part = (raw: string, type: string) => {
  const [, encoding = '', body = ''] =
    new RegExp(`Content-Type: ${type}.*?Content-Transfer-Encoding: (\\S+)\r\n.*?\r\n(.*?)\r\n--`, 's').exec(raw) ?? []
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
