import pg from 'pg'
import type { BackupSettings } from '../../config/backup.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import { findArchiveFailure } from './archive-failure.ts'
import { type Base, listBases, pruneArchive, recordArchived, timelineOf } from './archive-folder.ts'
import { copyCluster } from './copy-cluster.ts'
import { createLogCopier, findFirstToCopy, readPosition } from './copy-log.ts'
import { pruneFormerArchives } from './own-archive.ts'

const COPY_MS = 1_000
const DAY_MS = 86_400_000
const RETRY_MS = 60_000

type Options = {
  ownerUrl: string
  cluster: string
  archiveDir: string
  /** The folder of this cluster in it. */
  archive: string
  days: BackupSettings['archiveDays']
  secrets: Secrets
  log: Log
}

/** Copies the log every second and the cluster every day, from the process that runs Postgres. Failures are logged and retried. */
export const startArchiving = (options: Options) => {
  const { archiveDir, archive, log } = options
  const warn = createWarning(log)
  let isStopping = false
  let copier: ReturnType<typeof createLogCopier> | null = null
  /** Undefined until the archive has been compared with the log. */
  let lastBase: Base | null | undefined
  let tryBaseAt = 0

  const copyLog = async (client: pg.Client) => {
    // This millisecond can have further commits.
    const at = new Date(Date.now() - 1)
    const position = await readPosition(client)
    copier ??= openCopier(position)
    if (!copier) return
    await copier.copyUpTo(position)
    const failure = await findArchiveFailure((text) => client.query(text))
    // Then nothing counts as archived, so that the age of the archive tells.
    if (failure) warn(new Error(failure))
    else recordArchived(archive, at)
  }

  /** Nothing can be copied without a cluster to start from, nor after a gap or a restore. */
  const openCopier = (position: Awaited<ReturnType<typeof readPosition>>) => {
    const base = listBases(archive).at(-1)
    const isCurrent = base && timelineOf(base.firstSegment) === timelineOf(position.segment)
    const first = isCurrent ? findFirstToCopy(options, position, base.firstSegment) : null
    lastBase = first && base ? base : null
    return first ? createLogCopier(options, first) : null
  }

  /** Meanwhile the log goes on being copied over another connection. */
  const keepBase = async () => {
    if (lastBase === undefined) return
    const isDue = !lastBase || Date.now() - lastBase.finishedAt.getTime() > DAY_MS
    if (!isDue || Date.now() < tryBaseAt) return
    tryBaseAt = Date.now() + RETRY_MS
    await withClient(options.ownerUrl, async (client) => {
      lastBase = await copyCluster(client, { ...options, at: new Date(), isStopping: () => isStopping })
      log.info({ base: lastBase.folder }, 'copied the database to the archive')
    })
    const since = new Date(Date.now() - options.days * DAY_MS)
    pruneArchive(archive, since)
    pruneFormerArchives(archiveDir, { own: archive, since })
  }

  const followLog = () =>
    withClient(options.ownerUrl, async (client) => {
      for (;;) {
        const isLast = isStopping
        await copyLog(client)
        if (isLast) return
        await Bun.sleep(COPY_MS)
      }
    })
  const loop = async (work: () => Promise<void>) => {
    while (!isStopping) {
      await work().catch((error) => isStopping || warn(error))
      if (!isStopping) await Bun.sleep(COPY_MS)
    }
  }
  const running = Promise.all([loop(followLog), loop(keepBase)])
  return {
    /** Copies the last commits. */
    stop: async () => {
      isStopping = true
      await running
    },
  }
}

/** It is tried again every second, and logged once a minute. */
const createWarning = (log: Log) => {
  let last = { message: '', at: 0 }
  return ({ message }: Error) => {
    if (message === last.message && Date.now() < last.at + RETRY_MS) return
    last = { message, at: Date.now() }
    log.warn({ error: message }, 'could not archive')
  }
}

const withClient = async (url: string, work: (client: pg.Client) => Promise<void>) => {
  const client = new pg.Client({ connectionString: url, application_name: 'tributary archive' })
  // A lost connection also fails the statement that runs.
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
