import { type Cell, csvLine } from '@tributary/contract/csv'

const isFile = Symbol('file')

/** An answer that is not JSON. */
export type FileAnswer = {
  [isFile]: true
  body: ReadableStream<Uint8Array> | Uint8Array
  headers: Record<string, string>
}

export const fileAnswer = (file: Omit<FileAnswer, typeof isFile>): FileAnswer => ({ [isFile]: true, ...file })

export const isFileAnswer = (answer: unknown): answer is FileAnswer =>
  typeof answer === 'object' && answer !== null && isFile in answer

type Attachment = { name: string; type: string; content: Uint8Array }

/** A file to save. The browser neither shows it nor guesses its type, so it cannot run as part of this site. */
export const attachment = ({ name, type, content }: Attachment): FileAnswer => {
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return fileAnswer({
    body: content,
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}

type Csv = {
  name: string
  columns: readonly string[]
  rows: AsyncGenerator<Cell[][]>
  headers?: Record<string, string>
}

/**
 * A CSV file of any length: the next rows are read once the caller has received the previous ones. On an error the response is
 * cut off, so that a partial file is not mistaken for a complete one.
 */
export const csvFile = ({ name, columns, rows, headers }: Csv): FileAnswer =>
  fileAnswer({ body: csvStream(columns, rows), headers: { ...headers, ...csvHeaders(name) } })

export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
})

export const csvStream = (columns: readonly string[], rows: AsyncGenerator<Cell[][]>) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(csvLine([...columns]))),
    pull: async (controller) => {
      const { done, value } = await rows.next()
      if (done) return controller.close()
      if (value.length > 0) controller.enqueue(Buffer.from(value.map(csvLine).join('')))
      else controller.enqueue(new Uint8Array())
    },
    cancel: async () => void (await rows.return(undefined)),
  })

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Stops nginx from buffering the stream.
  'x-accel-buffering': 'no',
}

/** Server-sent events. */
export const eventStream = (body: ReadableStream<Uint8Array>): FileAnswer =>
  fileAnswer({ body, headers: STREAM_HEADERS })
