import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The latest complete backup, recorded in DATA_DIR for /metrics and `doctor`. Contains no secrets. */
type LastBackup = { at: Date; to: string }

const fileIn = (dataDir: string) => join(dataDir, 'last-backup.json')

export const recordBackup = (dataDir: string, backup: LastBackup) => {
  const draft = `${fileIn(dataDir)}.new`
  writeFileSync(draft, `${JSON.stringify(backup)}\n`)
  renameSync(draft, fileIn(dataDir))
}

/** Null if there has been none, or the record cannot be read. */
export const findLastBackup = (dataDir: string): LastBackup | null => {
  try {
    const { at, to } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    const time = new Date(at)
    return Number.isNaN(time.getTime()) ? null : { at: time, to: String(to) }
  } catch {
    return null
  }
}
