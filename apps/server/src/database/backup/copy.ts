import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'

/** The part of `pg`'s connection that COPY needs; `pg` has no types for it. */
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

/** Resolves when the server is ready for the next statement. */
const run = (client: pg.Client, text: string, handlers: Handlers) =>
  new Promise<void>((resolve, reject) => {
    let failure: unknown = null
    const noop = () => {}
    const statement = {
      submit: (connection: Connection) => connection.query(text),
      handleError: (error: unknown) => {
        failure = error
        reject(error)
      },
      handleReadyForQuery: () => (failure ? noop() : resolve()),
      handleCommandComplete: noop,
      handleRowDescription: noop,
      handleDataRow: noop,
      handleCopyInResponse: noop,
      handleCopyData: noop,
      ...handlers,
    }
    client.query(statement as unknown as pg.Submittable)
  })

/** Copies the query's rows as text into a stream and returns their count. Pauses the server when the stream is full. */
export const copyOut = async (client: pg.Client, query: string, to: Writable, onRow: () => void) => {
  let rows = 0
  let paused = false
  await run(client, `COPY (${query}) TO STDOUT`, {
    handleCopyData: ({ chunk }, connection) => {
      rows++
      onRow()
      // The driver reuses its message buffers.
      if (to.write(Buffer.from(chunk)) || paused) return
      paused = true // rows already read still arrive
      connection.stream.pause()
      to.once('drain', () => {
        paused = false
        connection.stream.resume()
      })
    },
  })
  return rows
}

/** Copies rows as text into a table. If the source fails, throws its error rather than the server's COPY error. */
export const copyIn = async (client: pg.Client, target: string, rows: AsyncIterable<Buffer>) => {
  let sourceError: Error | null = null
  const send = async (connection: Connection) => {
    for await (const chunk of rows) {
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  }
  const handleCopyInResponse = (connection: Connection) =>
    void send(connection).catch((error: Error) => {
      sourceError = error
      connection.sendCopyFail(error.message)
    })
  await run(client, `COPY ${target} FROM STDIN`, { handleCopyInResponse }).catch((error) => {
    throw sourceError ?? error
  })
}
