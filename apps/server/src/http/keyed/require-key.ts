import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies } from '../context.ts'

const BEARER = /^Bearer +(\S+) *$/i

const REVOKED = 'This API key is invalid or revoked. Create a new one in the program settings.'
const MALFORMED = 'The Authorization header is malformed. Send "Authorization: Bearer trk_…" with the whole key.'

/** The program of the caller's API key. A bad key is always an error, never treated as a call without a key. */
export const requireKey = async (c: Call, { keyedPrograms, limits }: Dependencies): Promise<Program> => {
  const header = c.req.header('authorization')
  if (header === undefined)
    throw new Refusal(
      'missing_api_key',
      'The Authorization header is missing. Send your program API key from your server: "Authorization: Bearer trk_…".',
    )
  const key = BEARER.exec(header)?.[1]
  const ip = c.get('clientIp')
  // An uncached key costs a database lookup, so wrong keys are rate-limited by IP address.
  const program = key ? await keyedPrograms(key, () => limits.guess.refuse(ip)) : null
  if (!key || !program) {
    limits.guess.count(ip)
    throw new Refusal('invalid_api_key', key ? REVOKED : MALFORMED)
  }
  limits.key(key)
  return program
}

type Named = { program_id?: number | null; additional_data: { program_id: number | null } }

/** A program named in the body must be the key's own. */
export const refuseOtherProgram = (program: Program, { program_id, additional_data }: Named) => {
  const named = [program_id, additional_data.program_id].filter((id) => id !== null && id !== undefined)
  if (named.some((id) => id !== program.id))
    throw new Refusal(
      'program_mismatch',
      `program_id must be ${program.id}, the program this API key belongs to. Leave it out, or use the other program's key.`,
      {
        field: 'program_id',
      },
    )
}
