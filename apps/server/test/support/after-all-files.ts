/** Loaded before the first test file (bunfig.toml), so that this runs after the last one. */
import { afterAll } from 'bun:test'
import { closeTestPostgres } from './postgres.ts'

afterAll(closeTestPostgres)

const shared = globalThis as typeof globalThis & { chaosTemplate?: Promise<{ remove(): void }> }
afterAll(async () => (await shared.chaosTemplate)?.remove())
