import { z } from 'zod'
import { MAX_AMOUNT, MAX_IDENTIFIER_LENGTH, MAX_ROW_ID } from './limits.ts'

/** Postgres text holds neither NUL nor half of a surrogate pair, so neither may pass. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

const maybeEmpty = z
  .string('must be a string')
  .max(MAX_IDENTIFIER_LENGTH, `must be at most ${MAX_IDENTIFIER_LENGTH} characters`)
  .refine(isStorable, 'must not contain NUL or broken characters')

/** An identifier is compared for equality, so it is refused rather than changed. */
export const identifier = maybeEmpty.min(1, 'must not be empty')

/** A cookie that is not there reads as an empty text on many a server, and means what no text means. */
export const optionalIdentifier = maybeEmpty.nullish().transform((text) => text || null)

/** Without recursion: the stack of whatever would walk through it is what depth exhausts. */
export const isDeeperThan = (most: number, value: unknown) => {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  }
  return false
}

export const cents = z.int('must be a whole number of minor units').max(MAX_AMOUNT, 'must be at most 10^12')
export const someCents = cents.min(1, 'must be at least 1')

/** Whose a row is, in the words that people know a partner and a link by. */
export const whose = {
  partnerName: z.string().nullable(),
  partnerArchived: z.boolean().describe('False where there is no partner'),
  aff: z.string().nullable(),
}
/** What a row is before somebody has looked up whose it is. */
export type Nameless<Row> = Omit<Row, keyof typeof whose>

/** What is kept of a descriptive text. */
export const described = (text: string, maxLength: number) => storable(text.slice(0, maxLength)) || null

/** A descriptive field can never lose a click: the wrong type becomes null, too long is cut. */
export const descriptive = (maxLength: number) =>
  z
    .string()
    .transform((text) => described(text, maxLength))
    .nullable()
    .catch(null)
    .default(null)

/** As `descriptive`, and null where it is not of the format. */
export const formatted = (pattern: RegExp, maxLength: number) =>
  z.string().max(maxLength).regex(pattern).nullable().catch(null).default(null)

/** Text that people write: names and titles. Cut to size by nobody, so too long is refused. */
export const plainText = (maxLength: number) =>
  z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must be at most ${maxLength} characters`)
    .refine(isStorable, 'must not contain NUL or broken characters')

export const rowId = z.int().positive().max(MAX_ROW_ID)

/** The same as it stands in a path or in a form: digits, and no other way to write a number. */
export const rowIdText = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  // It says so itself: where one of several kinds is of the right shape, its words are taken and not those for all.
  .refine((id) => id <= MAX_ROW_ID, `must be at most ${MAX_ROW_ID}`)

const NOT_A_PROGRAM = "must be a program's number"

/** A program's numeric ID. Callers that read it from a form or from metadata have it as text. */
export const programId = z.union([rowId, rowIdText], NOT_A_PROGRAM)

/** Where only the key decides, any other number is another program, however odd. */
export const namedProgram = z.union([z.int(), rowIdText], NOT_A_PROGRAM)

export const timestamp = z.string().describe('ISO 8601, UTC, with milliseconds')

export const mailedFlag = z
  .boolean()
  .optional()
  .describe('Whether the mail server took it too; absent where the service has none (SMTP_URL)')

const flag = z.boolean().catch(false).default(false)

/** On a click even this is descriptive: anything that is not the documented shape is as if it were absent. */
export const lenientAdditionalData = z
  .object({ test_mode: flag, program_id: programId.nullable().catch(null).default(null) })
  .catch({ test_mode: false, program_id: null })
  .default({ test_mode: false, program_id: null })

export const additionalData = z
  .object(
    { test_mode: z.boolean().default(false), program_id: programId.nullable().default(null) },
    'must be an object',
  )
  .nullish()
  .transform((data) => data ?? { test_mode: false, program_id: null })
