const OIDS = { integer: 23, bigint: 20, text: 25, uuid: 2950, timestamptz: 1184, date: 1082, bytea: 17, jsonb: 3802 }
export type ElementType = keyof typeof OIDS

/** A uuid, date or JSON value is passed as text; a bytea as bytes, or as `\x` and hexadecimal digits. */
export type Element = string | number | Date | Uint8Array | null

type Column<Row> = { type: ElementType; of: (row: Row) => Element }

const ARRAY_HEAD_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
const MAX_BYTES_PER_CHARACTER = 3
const DAY_MS = 86_400_000
/** More than most rows need; the buffer grows if required. */
const ROW_BYTES = 800
/** Postgres counts microseconds from this date. */
const EPOCH_MS = Date.UTC(2000, 0, 1)

/**
 * Encodes each column of the rows as one array in Postgres' binary format. This avoids quoting and parsing, which took a sixth
 * of our time for a batch of clicks and up to a tenth of Postgres' (decision 2).
 */
export const binaryArrays = <Row>(rows: Row[], columns: Column<Row>[], rowBytes = ROW_BYTES): Buffer[] => {
  let buffer = Buffer.allocUnsafeSlow(columns.length * ARRAY_HEAD_BYTES + rows.length * rowBytes)
  let end = 0
  const reserve = (bytes: number) => {
    if (end + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(2 * buffer.length + bytes)
    buffer.copy(larger, 0, 0, end)
    buffer = larger
  }
  const ends = columns.map(({ type, of }) => {
    reserve(ARRAY_HEAD_BYTES)
    // Dimensions, has-nulls flag, element type, length, lower bound.
    for (const number of [1, 1, OIDS[type], rows.length, 1]) end = buffer.writeInt32BE(number, end)
    const write = WRITERS[type]
    for (const row of rows) {
      const element = of(row)
      reserve(LENGTH_BYTES + maxBytesOf(element))
      const length = element === null ? NULL_LENGTH : write(buffer, element as never, end + LENGTH_BYTES)
      end = buffer.writeInt32BE(length, end) + Math.max(length, 0)
    }
    return end
  })
  return ends.map((to, index) => buffer.subarray(ends[index - 1] ?? 0, to))
}

const maxBytesOf = (element: Element) => {
  if (typeof element === 'string') return 1 + element.length * MAX_BYTES_PER_CHARACTER
  return element instanceof Uint8Array ? element.length : 8
}

const writeInt64 = (buffer: Buffer, number: number, at: number) => {
  const high = Math.floor(number / 2 ** 32)
  buffer.writeInt32BE(high, at)
  return buffer.writeUInt32BE(number - high * 2 ** 32, at + 4) - at
}

/** Each writes one element and returns its length. */
const WRITERS = {
  integer: (buffer: Buffer, number: number, at: number) => buffer.writeInt32BE(number, at) - at,
  bigint: writeInt64,
  text: (buffer: Buffer, text: string, at: number) => buffer.write(text, at, 'utf8'),
  uuid: (buffer: Buffer, uuid: string, at: number) => buffer.write(uuid.replaceAll('-', ''), at, 'hex'),
  bytea: (buffer: Buffer, bytes: string | Uint8Array, at: number) => {
    if (typeof bytes === 'string') return buffer.write(bytes.slice(2), at, 'hex')
    buffer.set(bytes, at)
    return bytes.length
  },
  date: (buffer: Buffer, day: string, at: number) =>
    buffer.writeInt32BE((Date.parse(day) - EPOCH_MS) / DAY_MS, at) - at,
  timestamptz: (buffer: Buffer, date: Date, at: number) => writeInt64(buffer, (date.getTime() - EPOCH_MS) * 1000, at),
  // 1 is the version of the jsonb format.
  jsonb: (buffer: Buffer, json: string, at: number) => 1 + buffer.write(json, buffer.writeUInt8(1, at), 'utf8'),
}
