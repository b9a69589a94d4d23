import { applicationIn, readingMessages, type ServerMessage, tagOf } from './postgres-messages.ts'
import { openProxy } from './tcp-proxy.ts'
import { throttled } from './throttle.ts'

type Options = {
  socketFolder: string
  /** Called when a transaction has committed and the client does not know yet: whether to cut the connection. */
  cutAfterCommit?: (application: string) => boolean
  /** How fast each click connection may send. */
  clickBytesPerSecond?: number
}

/** A proxy between the service and Postgres. */
export const openDatabaseProxy = ({ socketFolder, cutAfterCommit, clickBytesPerSecond }: Options) =>
  openProxy({ path: `${socketFolder}/.s.PGSQL.5432` }, (client, server) => {
    let application = ''
    let send: (chunk: Buffer) => void = (chunk) => server.write(chunk)
    client.on('data', (chunk: Buffer) => {
      if (!application) {
        application = applicationIn(chunk)
        if (clickBytesPerSecond && application === CLICKS) send = throttled(server, clickBytesPerSecond)
      }
      send(chunk)
    })
    const read = readingMessages()
    let heldBack: Buffer[] = []
    server.on('data', (chunk: Buffer) => {
      if (!cutAfterCommit) return void client.write(chunk)
      for (const message of read(chunk)) {
        if (heldBack.length > 0 || isEndOfWork(message, application)) heldBack.push(message.bytes)
        else client.write(message.bytes)
        // ReadyForQuery: only now is the previous statement known to be committed.
        if (message.letter !== 'Z' || heldBack.length === 0) continue
        if (cutAfterCommit(application)) return void client.destroy()
        client.write(Buffer.concat(heldBack))
        heldBack = []
      }
    })
  })

export const CLICKS = 'tributary clicks'

/** Clicks are one autocommitted statement; all others send COMMIT. */
const isEndOfWork = (message: ServerMessage, application: string) =>
  message.letter === 'C' && (application === CLICKS ? /^SELECT/.test(tagOf(message)) : tagOf(message) === 'COMMIT')
