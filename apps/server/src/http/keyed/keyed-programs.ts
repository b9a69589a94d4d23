import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { programOfApiKey, touchApiKey } from '../../programs/api-keys.ts'
import { findProgram, type Program } from '../../programs/programs.ts'

/** The program whose live key this is, or null. `beforeLookUp` may refuse by throwing. */
export type KeyedPrograms = (key: string, beforeLookUp: () => void) => Promise<Program | null>

/** A revoked key must be refused within 5 s; this is how long its last look-up may be believed. */
const BELIEVED_MS = 2_000
const REMEMBERED = 1_000

/** Looks a key up at most every two seconds, so that a busy merchant does not ask the same question for every sale. */
export const rememberingKeyedPrograms = (db: Database, clock: Clock): KeyedPrograms => {
  const remembered = new Map<string, { program: Promise<Program | null>; until: number }>()

  const lookUp = async (key: string) => {
    const programId = await programOfApiKey(db, key)
    if (programId === null) return null
    await touchApiKey(db, { key, at: clock() })
    return (await findProgram(db, programId)) ?? null
  }

  return async (key, beforeLookUp) => {
    const now = performance.now()
    const known = remembered.get(key)
    if (known && known.until > now) return known.program
    beforeLookUp()
    if (remembered.size >= REMEMBERED) remembered.clear()
    const program = lookUp(key)
    remembered.set(key, { program, until: now + BELIEVED_MS })
    program.catch(() => remembered.delete(key))
    return program
  }
}
