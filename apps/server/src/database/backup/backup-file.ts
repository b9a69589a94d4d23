import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartupError } from '../../config/startup-error.ts'
import type { Draft } from './destination.ts'
import { decrypt, encrypt, HEADER_BYTES, MAGIC } from './encryption.ts'

/**
 * A backup is one compressed file of lines: a header, then for each table its name, its rows in COPY format and a line `\.`,
 * then an end line. A truncated file has no end line.
 */
export const END_OF_ROWS = Buffer.from('\\.\n')
const NEWLINE = 0x0a

const damaged = (file: string) =>
  new StartupError(`${file} is not a complete Tributary backup: it is damaged or truncated.`)

const unreadable = (file: string, error: { code?: string }) => {
  const { code } = error
  if (error instanceof StartupError) return error
  if (code === 'ENOENT') return new StartupError(`${file} does not exist.`)
  if (code === 'EISDIR') return new StartupError(`${file} is a directory. Name the backup file.`)
  if (code === 'EACCES' || code === 'EPERM') return new StartupError(`${file} is not readable by this user.`)
  return damaged(file)
}

/** Compresses and, with a key, encrypts everything on its way to the destination. */
export const writeBackupFile = ({ stream, publish }: Draft, key: string | null) => {
  const gzip = createGzip({ level: 3 })
  const failed = pipeline(key === null ? [gzip, stream] : [gzip, encrypt(key), stream]).then(
    () => new Promise<never>(() => {}),
  )
  failed.catch(() => {})
  return {
    stream: gzip,
    failed,
    line: (value: object) => gzip.write(`${JSON.stringify(value)}\n`),
    close: async () => {
      gzip.end()
      await Promise.race([publish(), failed])
    },
  }
}

/** The compressed content of the file, decrypted if necessary. */
const openContent = (file: string, key: string | null) => {
  const header = readStart(file)
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return createReadStream(file)
  if (!key)
    throw new StartupError(`${file} is encrypted. Set BACKUP_KEY to the key of the instance that was backed up.`)
  const content = decrypt(key, { header, file })
  pipeline(createReadStream(file, { start: HEADER_BYTES }), content).catch(() => {})
  return content
}

const readStart = (file: string) => {
  try {
    const fd = openSync(file, 'r')
    try {
      const start = Buffer.alloc(HEADER_BYTES)
      return start.subarray(0, readSync(fd, start))
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw unreadable(file, error as { code?: string })
  }
}

/** Reads a backup sequentially: lines and blocks of rows. */
export const readBackupFile = (file: string, key: string | null) => {
  const gunzip = createGunzip()
  // An error of any of them also reaches the iterator.
  pipeline(openContent(file, key), gunzip).catch(() => {})
  const chunks = gunzip[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  const next = () =>
    chunks.next().catch((error) => {
      throw unreadable(file, error)
    })
  const readMore = async () => {
    const { value, done } = await next()
    if (done) throw damaged(file)
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
  }

  const line = async (): Promise<Record<string, unknown>> => {
    let end = rest.indexOf(NEWLINE)
    for (; end === -1; end = rest.indexOf(NEWLINE)) await readMore()
    const text = rest.subarray(0, end).toString()
    rest = rest.subarray(end + 1)
    try {
      return JSON.parse(text)
    } catch {
      throw damaged(file)
    }
  }

  /** Yields complete lines up to the end of the table. */
  async function* rows() {
    for (;;) {
      if (rest.length < END_OF_ROWS.length) await readMore()
      else if (rest.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) {
        rest = rest.subarray(END_OF_ROWS.length)
        return
      } else {
        const end = rest.indexOf('\n\\.\n')
        const complete = end === -1 ? rest.lastIndexOf(NEWLINE) + 1 : end + 1
        if (complete === 0) await readMore()
        else {
          yield rest.subarray(0, complete)
          rest = rest.subarray(complete)
        }
      }
    }
  }

  /** A file that lacks its last few bytes still has all its lines, so check that the stream ended cleanly. */
  const end = async () => {
    const { done } = await next()
    if (!done || rest.length > 0) throw damaged(file)
  }
  return { line, rows, end, close: () => void gunzip.destroy() }
}
