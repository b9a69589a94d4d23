export type ArchiveFailure = { segment: string; at: Date }

/** A failure without a segment that waits is history. */
const STATEMENT = `
  SELECT last_failed_wal AS segment, last_failed_time AS at
  FROM pg_stat_archiver
  WHERE last_failed_time > coalesce(last_archived_time, '-infinity')
    AND EXISTS (SELECT FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready')`

/** Says that Postgres keeps finished segments because it cannot archive them; null if it can. */
export const findArchiveFailure = async (query: (text: string) => Promise<{ rows: ArchiveFailure[] }>) => {
  const [failure] = (await query(STATEMENT)).rows
  if (!failure) return null
  return `Postgres could not archive ${failure.segment} at ${failure.at.toISOString()}; postgres.log in DATA_DIR says why.`
}
