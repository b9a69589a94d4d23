import { afterAll } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** The address of a proxy that delays everything the service sends to its database, as a slow machine would. */
export const slowDatabase = async (databaseUrl: string, delayMs: number) => {
  const address = new URL(databaseUrl)
  const folder = address.searchParams.get('host')
  const port = Number(address.port || 5432)
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const database = folder ? connect(join(folder, `.s.PGSQL.${port}`)) : connect(port, address.hostname)
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    client.on('data', (sent) => setTimeout(() => database.write(sent), delayMs))
    database.on('data', (sent) => client.write(sent))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const listening = server.address()
  if (!listening || typeof listening === 'string') throw new Error('not listening')
  address.searchParams.delete('host')
  address.hostname = '127.0.0.1'
  address.port = String(listening.port)
  return address.href
}
