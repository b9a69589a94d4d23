import { openProxy } from './pass.ts'
import { applicationIn, readingMessages, type ServerMessage, tagOf } from './postgres-messages.ts'
import { throttled } from './throttle.ts'

type Options = {
  socketFolder: string
  /** Asked when a transaction is committed and nobody has been told yet: whether to cut the connection now. */
  cutAfterCommit?: (application: string) => boolean
  /** How fast the clicks' connections may send, each. */
  clickBytesPerSecond?: number
}

/** Between the service and Postgres. */
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
        // Ready for the next query: only now is it certain that what went before is committed.
        if (message.letter !== 'Z' || heldBack.length === 0) continue
        if (cutAfterCommit(application)) return void client.destroy()
        client.write(Buffer.concat(heldBack))
        heldBack = []
      }
    })
  })

export const CLICKS = 'tributary clicks'

/** Clicks are one statement, which commits by itself; everybody else says COMMIT. */
const isEndOfWork = (message: ServerMessage, application: string) =>
  message.letter === 'C' && (application === CLICKS ? /^SELECT/.test(tagOf(message)) : tagOf(message) === 'COMMIT')
