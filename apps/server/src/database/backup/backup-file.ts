import { createReadStream, createWriteStream, fstatSync, lstatSync, openSync, rmSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartupError } from '../../config/startup-error.ts'

/**
 * A backup is one compressed file of lines: a header, then for each table its name, its rows in COPY format and a line `\.`,
 * then an end line. A truncated file has no end line.
 */
export const END_OF_ROWS = Buffer.from('\\.\n')
const NEWLINE = 0x0a

const damaged = (file: string) =>
  new StartupError(`${file} is not a complete Tributary backup: it is damaged or truncated.`)

const unreadable = (file: string, { code }: { code?: string }) => {
  if (code === 'ENOENT') return new StartupError(`${file} does not exist.`)
  if (code === 'EISDIR') return new StartupError(`${file} is a directory. Name the backup file.`)
  if (code === 'EACCES' || code === 'EPERM') return new StartupError(`${file} is not readable by this user.`)
  return damaged(file)
}

export const writeBackupFile = (file: string) => {
  const gzip = createGzip({ level: 3 })
  // The file contains the instance's secrets: create it new, readable only by us, and never follow a link.
  rmSync(file, { force: true })
  const fd = openSync(file, 'wx', 0o600)
  const { ino } = fstatSync(fd)
  const disk = createWriteStream(file, { fd, flush: true })
  gzip.pipe(disk)
  const failed = new Promise<never>((_, reject) => {
    gzip.once('error', reject)
    disk.once('error', reject)
  })
  failed.catch(() => {})
  return {
    stream: gzip,
    /** False once another backup to the same path has replaced the file. */
    isOurs: () => lstatSync(file, { throwIfNoEntry: false })?.ino === ino,
    failed,
    line: (value: object) => gzip.write(`${JSON.stringify(value)}\n`),
    close: async () => {
      gzip.end()
      await Promise.race([finished(disk), failed])
    },
  }
}

/** Reads a backup sequentially: lines and blocks of rows. */
export const readBackupFile = (file: string) => {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.once('error', (error) => gunzip.destroy(error))
  const chunks = source.pipe(gunzip)[Symbol.asyncIterator]()
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
  return { line, rows, end, close: () => void source.destroy() }
}
