import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { apiKeyId, findProgramByApiKey, touchApiKey } from '../../programs/api-keys.ts'
import { type Program, programLoader } from '../../programs/programs.ts'

/** The program of an active key, or null. `beforeLookUp` may throw to reject the call. */
export type KeyedPrograms = (key: string, beforeLookUp: () => void) => Promise<Program | null>

/** A revoked key must be rejected within 5 s, even if the revocation message from another process is lost. */
const MAX_AGE_MS = 2_000
const MAX_ENTRIES = 1_000

type Options = { db: Database; clock: Clock; maxAgeMs?: number }

/** Caches key lookups for two seconds, so that a busy merchant's calls do not each query the database. */
export const cacheKeyedPrograms = ({ db, clock, maxAgeMs = MAX_AGE_MS }: Options) => {
  const remembered = new Map<string, { programId: Promise<number | null>; until: number }>()

  const lookUp = async (key: string) => {
    const programId = await findProgramByApiKey(db, key, clock())
    if (programId !== null) await touchApiKey(db, { key, at: clock() })
    return programId
  }

  const programIdOf = (key: string, beforeLookUp: () => void) => {
    const now = performance.now()
    const known = remembered.get(key)
    if (known && known.until > now) return known.programId
    beforeLookUp()
    if (remembered.size >= MAX_ENTRIES) remembered.clear()
    const programId = lookUp(key)
    remembered.set(key, { programId, until: now + maxAgeMs })
    programId.catch(() => remembered.delete(key))
    return programId
  }

  // Only the key's program ID is cached: settings take effect as soon as they change.
  const programs = programLoader(db)
  const find: KeyedPrograms = async (key, beforeLookUp) => {
    const programId = await programIdOf(key, beforeLookUp)
    return programId === null ? null : ((await programs.load(programId)) ?? null)
  }
  return {
    find,
    forget: (id: string) => {
      for (const key of remembered.keys()) if (apiKeyId(key) === id) remembered.delete(key)
    },
    forgetAll: () => remembered.clear(),
  }
}
