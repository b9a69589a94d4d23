import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies } from '../context.ts'

const BEARER = /^Bearer +(\S+) *$/i

const REVOKED = 'This API key is not valid or was revoked. Create one in the program settings.'
const MISWRITTEN = 'The header is not written as it must be. Send "Authorization: Bearer trk_…", with the whole key.'

/** The program that the caller's API key belongs to. A bad key is refused, never taken for no key. */
export const requireKey = async (c: Call, { keyedPrograms, limits }: Dependencies): Promise<Program> => {
  const header = c.req.header('authorization')
  if (header === undefined)
    throw new Refusal('missing_api_key', 'Send the program API key from your server: "Authorization: Bearer trk_…".')
  const key = BEARER.exec(header)?.[1]
  const ip = c.get('clientIp')
  // A key that was not seen lately costs a look-up, so guessing is limited by address.
  const program = key ? await keyedPrograms(key, () => limits.guess.refuse(ip)) : null
  if (!key || !program) {
    limits.guess.count(ip)
    throw new Refusal('invalid_api_key', key ? REVOKED : MISWRITTEN)
  }
  limits.key(key)
  return program
}

type Named = { program_id?: number | null; additional_data: { program_id: number | null } }

/** A body may name the program, but only the key decides. */
export const refuseOtherProgram = (program: Program, { program_id, additional_data }: Named) => {
  const named = [program_id, additional_data.program_id].filter((id) => id !== null && id !== undefined)
  if (named.some((id) => id !== program.id))
    throw new Refusal(
      'program_mismatch',
      `This API key belongs to program ${program.id}. Use the key of the program you name.`,
      {
        field: 'program_id',
      },
    )
}
