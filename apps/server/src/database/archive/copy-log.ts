import { existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type pg from 'pg'
import { listSegments, numberOf, SEGMENT_BYTES, segmentAt, timelineOf, walFolder } from './archive-folder.ts'

/** The end of what Postgres has on disk: a segment and how many bytes of it. */
export const readPosition = async (client: pg.ClientBase) => {
  // One byte before the end, because the end of a full segment belongs to the next one.
  const { rows } = await client.query<{ segment: string; bytes: string }>(`
    SELECT pg_walfile_name(flushed - 1) AS segment, pg_wal_lsn_diff(flushed, '0/0') AS bytes
    FROM pg_current_wal_flush_lsn() AS flushed`)
  const [position] = rows
  if (!position) throw new Error('no position in the log')
  const bytes = BigInt(position.bytes) % BigInt(SEGMENT_BYTES)
  return { segment: position.segment, bytes: Number(bytes) || SEGMENT_BYTES }
}

type Options = { cluster: string; archive: string }
type Position = Awaited<ReturnType<typeof readPosition>>

/**
 * The first segment since the copy of the cluster that is not archived; null if Postgres has removed it, which leaves a gap. Postgres
 * may have archived later ones already.
 */
export const findFirstToCopy = ({ cluster, archive }: Options, { segment }: Position, baseSegment: string) => {
  const archived = new Set(listSegments(archive))
  const at = (number: number) => segmentAt(timelineOf(segment), number)
  let number = numberOf(baseSegment)
  while (number < numberOf(segment) && archived.has(at(number))) number++
  const first = at(number)
  return existsSync(join(cluster, 'pg_wal', first)) || existsSync(join(walFolder(archive), first)) ? first : null
}

/**
 * Copies the log as it grows, because Postgres archives a segment only when it is full: what is on its disk is in the archive a
 * second later. Appends only new bytes.
 */
export const createLogCopier = ({ cluster, archive }: Options, first: string) => {
  let current = { segment: first, copied: 0 }

  const append = async (segment: string, upTo: number) => {
    const copied = segment === current.segment ? current.copied : 0
    if (copied >= upTo || existsSync(join(walFolder(archive), segment))) return
    const source = await open(join(cluster, 'pg_wal', segment), 'r').catch((error) => {
      // Postgres has archived and removed it meanwhile.
      if (existsSync(join(walFolder(archive), segment))) return null
      throw error
    })
    if (!source) return
    try {
      await appendTo(join(walFolder(archive), `${segment}.partial`), { source, from: copied, to: upTo })
      current = { segment, copied: upTo }
    } finally {
      await source.close()
    }
  }

  return {
    copyUpTo: async ({ segment, bytes }: Position) => {
      const timeline = timelineOf(segment)
      for (let number = numberOf(current.segment); number < numberOf(segment); number++)
        await append(segmentAt(timeline, number), SEGMENT_BYTES)
      await append(segment, bytes)
      if (current.segment !== segment) current = { segment, copied: 0 }
    },
  }
}

const appendTo = async (file: string, { source, from, to }: { source: FileHandle; from: number; to: number }) => {
  const target = await open(file, from === 0 ? 'w' : 'r+', 0o600)
  try {
    const buffer = Buffer.alloc(Math.min(to - from, 2 ** 20))
    for (let at = from; at < to; ) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, to - at), at)
      if (bytesRead === 0) throw new Error(`${basename(file, '.partial')} ends at ${at}`)
      await target.write(buffer, 0, bytesRead, at)
      at += bytesRead
    }
    await target.datasync()
  } finally {
    await target.close()
  }
}
