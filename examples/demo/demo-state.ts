import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type DemoState = { programId: number; apiKey: string; webhookSecret: string }

const fileIn = (dataDir: string) => join(dataDir, 'demo-shop.json')

/** Reads the state of an earlier demo, if any. */
export const readState = (dataDir: string): DemoState | null => {
  try {
    const { programId, apiKey, webhookSecret } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    return typeof apiKey === 'string' && typeof webhookSecret === 'string' ? { programId, apiKey, webhookSecret } : null
  } catch {
    return null
  }
}

export const saveState = (dataDir: string, state: DemoState): DemoState => {
  writeFileSync(fileIn(dataDir), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  return state
}
