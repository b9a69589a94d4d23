import { afterAll } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DASHBOARD_NAME } from '../../src/database/schema/installed.ts'

/**
 * The address of a proxy that delays what the dashboard's connections send to the database, as a slow machine would. Calls with a key stay
 * fast, so that a busy machine does not refuse them.
 */
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
    let isSlow: boolean | undefined
    client.on('data', (sent) => {
      // The first message names the connection.
      isSlow ??= sent.includes(`\0${DASHBOARD_NAME}\0`)
      if (isSlow) setTimeout(() => database.write(sent), delayMs)
      else database.write(sent)
    })
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
