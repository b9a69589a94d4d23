/**
 * Loaded before the first test file (bunfig.toml), so that this runs after the last one. With several processes, bun runs it
 * after each file, and the next file in the same process starts again.
 */
import { afterAll } from 'bun:test'
import { closeTestPostgres } from './postgres.ts'

afterAll(closeTestPostgres)

const shared = globalThis as typeof globalThis & { chaosTemplate?: Promise<{ remove(): void }> | undefined }
afterAll(async () => {
  const template = await shared.chaosTemplate
  shared.chaosTemplate = undefined
  template?.remove()
})
