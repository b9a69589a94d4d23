import { connect, createServer, type Socket } from 'node:net'

type Target = { path: string } | { port: number; host: string }
/** What happens between the two ends of one connection. */
export type Between = (client: Socket, server: Socket) => void

/** A TCP port in front of a target, where connections can be slowed down or cut. */
export const openProxy = (target: Target, between: Between): Promise<{ port: number; close(): void }> => {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect({ ...target, noDelay: true } as Parameters<typeof connect>[0] & object)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    between(client, server)
  })
  return new Promise((resolve) =>
    proxy.listen(0, '127.0.0.1', () => {
      const { port } = proxy.address() as { port: number }
      const close = () => {
        for (const socket of sockets) socket.destroy()
        proxy.close()
      }
      resolve({ port, close })
    }),
  )
}
