import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { apiKeyId, findProgramByApiKey, touchApiKey } from '../../programs/api-keys.ts'
import { type Program, programLoader } from '../../programs/programs.ts'

/** The program whose live key this is, or null. `beforeLookUp` may refuse by throwing. */
export type KeyedPrograms = (key: string, beforeLookUp: () => void) => Promise<Program | null>

/** A revoked key must be refused within 5 s; this is how long its last look-up may be believed if nobody tells us better. */
const BELIEVED_MS = 2_000
const REMEMBERED = 1_000

type Options = { db: Database; clock: Clock; believedMs?: number }

/**
 * Looks a key up at most every two seconds, so that a busy merchant does not ask the same question for every sale. Processes
 * tell each other of revocations, but a message can be lost with its connection; so none is believed for longer because of it.
 */
export const rememberingKeyedPrograms = ({ db, clock, believedMs = BELIEVED_MS }: Options) => {
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
    if (remembered.size >= REMEMBERED) remembered.clear()
    const programId = lookUp(key)
    remembered.set(key, { programId, until: now + believedMs })
    programId.catch(() => remembered.delete(key))
    return programId
  }

  // Only whose key it is may be remembered: what the program says of itself holds from the moment it was changed.
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
