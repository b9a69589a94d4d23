import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'

/** What `pg` hands to whoever speaks COPY. It has no types for this. */
type Connection = {
  query(text: string): void
  stream: NodeJS.ReadWriteStream & { pause(): void; resume(): void; writableNeedDrain: boolean }
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

type Handlers = {
  handleCopyData?: (message: { chunk: Buffer }, connection: Connection) => void
  handleCopyInResponse?: (connection: Connection) => void
}

/** Runs a COPY on the client; resolves when the server is ready for the next statement. */
const run = (client: pg.Client, text: string, handlers: Handlers) =>
  new Promise<void>((resolve, reject) => {
    let failure: unknown = null
    const nothing = () => {}
    const statement = {
      submit: (connection: Connection) => connection.query(text),
      handleError: (error: unknown) => {
        failure = error
        reject(error)
      },
      handleReadyForQuery: () => (failure ? nothing() : resolve()),
      handleCommandComplete: nothing,
      handleRowDescription: nothing,
      handleDataRow: nothing,
      handleCopyInResponse: nothing,
      handleCopyData: nothing,
      ...handlers,
    }
    client.query(statement as unknown as pg.Submittable)
  })

/** The rows that the query gives, as text, into a stream; answers how many. The server waits when the stream cannot keep up. */
export const copyOut = async (client: pg.Client, query: string, to: Writable, onRow: () => void) => {
  let rows = 0
  let paused = false
  await run(client, `COPY (${query}) TO STDOUT`, {
    handleCopyData: ({ chunk }, connection) => {
      rows++
      onRow()
      // The driver reuses the memory of its messages.
      if (to.write(Buffer.from(chunk)) || paused) return
      paused = true // what was read already still comes
      connection.stream.pause()
      to.once('drain', () => {
        paused = false
        connection.stream.resume()
      })
    },
  })
  return rows
}

/** Rows as text into a table. Where they break off, the failure is theirs, and not what the server says of it. */
export const copyIn = async (client: pg.Client, target: string, rows: AsyncIterable<Buffer>) => {
  let brokenOff: Error | null = null
  const send = async (connection: Connection) => {
    for await (const chunk of rows) {
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  }
  const handleCopyInResponse = (connection: Connection) =>
    void send(connection).catch((error: Error) => {
      brokenOff = error
      connection.sendCopyFail(error.message)
    })
  await run(client, `COPY ${target} FROM STDIN`, { handleCopyInResponse }).catch((error) => {
    throw brokenOff ?? error
  })
}
