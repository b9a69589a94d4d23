/** A server message: its type letter and its bytes. The reader accepts a stream piece by piece. */
export type ServerMessage = { letter: string; bytes: Buffer }

export const readingMessages = () => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer): ServerMessage[] => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: ServerMessage[] = []
    for (;;) {
      const length = rest.length >= 5 ? 1 + rest.readUInt32BE(1) : Number.POSITIVE_INFINITY
      if (rest.length < length) return messages
      messages.push({ letter: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, length) })
      rest = rest.subarray(length)
    }
  }
}

/** The tag of a finished command: `COMMIT`, `SELECT 12`. */
export const tagOf = ({ bytes }: ServerMessage) => bytes.toString('latin1', 5, bytes.length - 1)

/** The pool of a connection, by the application name in its startup message. */
export const applicationIn = (startup: Buffer) =>
  /application_name\0([^\0]*)/.exec(startup.toString('latin1'))?.[1] ?? ''
