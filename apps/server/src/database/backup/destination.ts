import { createWriteStream, fstatSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { StartupError } from '../../config/startup-error.ts'

/** A backup that is being written. It gets its name only when it is complete. */
export type Draft = { stream: Writable; publish: () => Promise<void>; discard: () => Promise<void> }

export type Destination = { name: string; open: () => Draft }

export const toFile = (file: string): Destination => ({
  name: file,
  open: () => {
    const draft = `${file}.part`
    // The file contains the instance's secrets: create it new, readable only by us, and never follow a link.
    rmSync(draft, { force: true })
    const fd = openSync(draft, 'wx', 0o600)
    const { ino } = fstatSync(fd)
    const stream = createWriteStream(draft, { fd, flush: true })
    /** False once another backup to the same path has replaced the file. */
    const isOurs = () => lstatSync(draft, { throwIfNoEntry: false })?.ino === ino
    return {
      stream,
      publish: async () => {
        await finished(stream)
        if (!isOurs()) throw new StartupError(`Another backup is writing ${draft}. Choose another name.`)
        renameSync(draft, file)
      },
      discard: async () => {
        stream.destroy()
        if (isOurs()) rmSync(draft, { force: true })
      },
    }
  },
})

/** Bytes sent to a pipe cannot be withdrawn, but restore refuses a truncated backup. */
export const toStream = (stream: Writable): Destination => ({
  name: 'standard output',
  open: () => ({
    stream,
    publish: () => finished(stream),
    discard: async () => {},
  }),
})
