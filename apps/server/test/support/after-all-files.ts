/**
 * Loaded before the first test file (bunfig.toml), so that this runs after the last one. With several processes, bun runs it
 * after each file, and the next file in the same process starts again. What the runner's Postgres holds may stay open: it
 * outlives every test process.
 */
import { afterAll } from 'bun:test'
import { closeTestPostgres } from './postgres.ts'

const shared = globalThis as typeof globalThis & {
  chaosTemplate?: Promise<{ remove(): void }> | undefined
  keptServices?: Map<string, { stop(): Promise<void> }>
  keptLedger?: { close(): Promise<void> } | undefined
}

afterAll(async () => {
  if (process.env.TEST_CLUSTER) return
  for (const service of shared.keptServices?.values() ?? []) await service.stop()
  shared.keptServices?.clear()
  await shared.keptLedger?.close()
  shared.keptLedger = undefined
  await closeTestPostgres()
})

afterAll(async () => {
  const template = await shared.chaosTemplate
  shared.chaosTemplate = undefined
  template?.remove()
})
