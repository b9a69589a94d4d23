const OIDS = { uuid: 2950, text: 25, timestamptz: 1184, bytea: 17 }
export type ElementType = keyof typeof OIDS

/** A uuid or a bytea comes as its text: `\x` and hexadecimal digits. */
export type Element = string | Date | null

type Column<Row> = { type: ElementType; of: (row: Row) => Element }

const ARRAY_HEAD_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
const MOST_BYTES_A_CHARACTER = 3
/** More than most rows have; what does not fit makes the buffer grow. */
const ROW_BYTES = 800
/** Postgres counts microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1)

/**
 * Columns of rows, each as one array in Postgres' binary format. Nothing has to be quoted here or taken apart there, which
 * for a batch of clicks is a sixth of our time for it and up to a tenth of Postgres' (decision 2).
 */
export const binaryArrays = <Row>(rows: Row[], columns: Column<Row>[]): Buffer[] => {
  let buffer = Buffer.allocUnsafeSlow(columns.length * ARRAY_HEAD_BYTES + rows.length * ROW_BYTES)
  let end = 0
  const makeRoom = (bytes: number) => {
    if (end + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(2 * buffer.length + bytes)
    buffer.copy(larger, 0, 0, end)
    buffer = larger
  }
  const ends = columns.map(({ type, of }) => {
    makeRoom(ARRAY_HEAD_BYTES)
    // One dimension, may hold nulls, of this type, so many, counted from 1.
    for (const number of [1, 1, OIDS[type], rows.length, 1]) end = buffer.writeInt32BE(number, end)
    const write = WRITERS[type]
    for (const row of rows) {
      const element = of(row)
      makeRoom(LENGTH_BYTES + (typeof element === 'string' ? element.length * MOST_BYTES_A_CHARACTER : 8))
      const length = element === null ? NULL_LENGTH : write(buffer, element as never, end + LENGTH_BYTES)
      end = buffer.writeInt32BE(length, end) + Math.max(length, 0)
    }
    return end
  })
  return ends.map((to, index) => buffer.subarray(ends[index - 1] ?? 0, to))
}

/** Each writes one element and says how long it is. */
const WRITERS = {
  text: (buffer: Buffer, text: string, at: number) => buffer.write(text, at, 'utf8'),
  uuid: (buffer: Buffer, uuid: string, at: number) => buffer.write(uuid.replaceAll('-', ''), at, 'hex'),
  bytea: (buffer: Buffer, literal: string, at: number) => buffer.write(literal.slice(2), at, 'hex'),
  timestamptz: (buffer: Buffer, date: Date, at: number) => {
    const microseconds = (date.getTime() - EPOCH_MS) * 1000
    const high = Math.floor(microseconds / 2 ** 32)
    buffer.writeInt32BE(high, at)
    return buffer.writeUInt32BE(microseconds - high * 2 ** 32, at + 4) - at
  },
}
