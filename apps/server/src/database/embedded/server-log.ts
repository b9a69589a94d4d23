import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'

const MAX_BYTES = 10_000_000

/** We open the file and pass the handle to Postgres, whose user may not be allowed to write next to our secrets. */
export const openServerLog = (file: string) => {
  if (existsSync(file) && statSync(file).size > MAX_BYTES) rotate(file)
  const handle = openSync(file, 'a+', 0o600)
  const start = fstatSync(handle).size
  return {
    handle,
    /** The output since it was opened. */
    read: () => {
      const buffer = Buffer.alloc(Math.min(fstatSync(handle).size - start, 100_000))
      readSync(handle, buffer, 0, buffer.length, start)
      return buffer.toString()
    },
    close: () => closeSync(handle),
  }
}

const rotate = (file: string) => {
  try {
    renameSync(file, `${file}.1`)
  } catch {
    // Without root we own the file but not its folder; the next start renames it.
  }
}

/** The last error from Postgres or initdb, without timestamp and severity; otherwise the last line. */
export const lastErrorIn = (output: string) => {
  const lines = output.split('\n').filter((line) => line.trim())
  const errors = lines.flatMap((line) => /(?:PANIC|FATAL|ERROR|error):\s+(.+)/.exec(line)?.[1] ?? [])
  return (errors.at(-1) ?? lines.at(-1) ?? 'no output').trim().replace(/\.$/, '')
}
