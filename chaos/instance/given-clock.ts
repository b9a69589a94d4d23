import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HOUR_MS = 3_600_000
/** The process polls its file every 20 ms. */
const NOTICED_MS = 200

/** The clock of a service that preloads jumping-date.ts, `baseMs` away from the real time. */
export const givenClock = (folder: string, baseMs = 0) => {
  const file = join(folder, 'clock')
  let offset = baseMs
  const set = async (hours: number) => {
    offset = baseMs + hours * HOUR_MS
    writeFileSync(file, String(offset))
    await Bun.sleep(NOTICED_MS)
  }
  writeFileSync(file, String(offset))
  return { file, set, now: () => new Date(Date.now() + offset) }
}
