import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Kept = { programId: number; apiKey: string; webhookSecret: string }

const fileIn = (dataDir: string) => join(dataDir, 'demo-shop.json')

/** What an earlier demo has kept, if it can still be read. */
export const readKept = (dataDir: string): Kept | null => {
  try {
    const { programId, apiKey, webhookSecret } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    return typeof apiKey === 'string' && typeof webhookSecret === 'string' ? { programId, apiKey, webhookSecret } : null
  } catch {
    return null
  }
}

export const keepDemo = (dataDir: string, kept: Kept): Kept => {
  writeFileSync(fileIn(dataDir), `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  return kept
}
