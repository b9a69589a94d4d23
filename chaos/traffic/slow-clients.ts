import { connect, type Socket } from 'node:net'

const HEADERS = 'POST /api/v1/track/click HTTP/1.1\r\nHost: localhost\r\n'

/** Clients that send a byte a second and never finish: every other one in its headers, the rest in a body. */
export const openSlowClients = async (port: number, count: number) => {
  const sockets = Array.from({ length: count }, (_, number) => slowClient(port, number % 2 === 0))
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))),
  )
  const dribble = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x')
  }, 1_000)
  return {
    open: () => sockets.filter((socket) => !socket.destroyed).length,
    close: () => {
      clearInterval(dribble)
      for (const socket of sockets) socket.destroy()
    },
  }
}

const slowClient = (port: number, inHeaders: boolean): Socket => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.on('data', () => {}) // a socket that is not read does not notice that it was closed
  socket.on('end', () => socket.destroy())
  socket.write(inHeaders ? `${HEADERS}X-Slow: ` : `${HEADERS}Content-Length: 10000\r\n\r\n{`)
  return socket
}
