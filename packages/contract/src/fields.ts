import { z } from 'zod'
import { MAX_AMOUNT, MAX_IDENTIFIER_LENGTH, MAX_ROW_ID } from './limits.ts'

/** Postgres text cannot hold NUL or an unpaired surrogate. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

const identifierText = z
  .string('must be a string')
  .max(MAX_IDENTIFIER_LENGTH, `must be at most ${MAX_IDENTIFIER_LENGTH} characters`)
  .refine(isStorable, 'must not contain NUL or unpaired surrogates')

/** Identifiers are compared for equality, so an invalid one is rejected rather than changed. */
export const identifier = identifierText.min(1, 'must not be empty')

/** Many servers read a missing cookie as an empty string, so empty means absent. */
export const optionalIdentifier = identifierText.nullish().transform((text) => text || null)

/** Iterative: recursion would overflow the stack on the very input this rejects. */
export const isDeeperThan = (most: number, value: unknown) => {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  }
  return false
}

export const cents = z
  .int('must be an integer in minor units (for example 2900 for $29.00)')
  .max(MAX_AMOUNT, 'must be at most 10^12')
export const positiveCents = cents.min(1, 'must be at least 1')

/** Names of the partner and link that a row belongs to. */
export const partnerAndLink = {
  partnerName: z.string().nullable(),
  partnerArchived: z.boolean().describe('False if there is no partner'),
  aff: z.string().nullable().describe("The link's `aff` value"),
}
/** A row before its partner and link names are looked up. */
export type Nameless<Row> = Omit<Row, keyof typeof partnerAndLink>

/** Cuts a descriptive text to size and removes what Postgres cannot store. */
export const described = (text: string, maxLength: number) => storable(text.slice(0, maxLength)) || null

/** A descriptive field never causes an error: the wrong type becomes null, and long text is cut. */
export const descriptiveText = (maxLength: number) =>
  z
    .string()
    .transform((text) => described(text, maxLength))
    .nullable()
    .catch(null)
    .default(null)

/** Like `descriptiveText`, but null if the text does not match. */
export const descriptivePattern = (pattern: RegExp, maxLength: number) =>
  z.string().max(maxLength).regex(pattern).nullable().catch(null).default(null)

/** Names and titles. Too long is an error, because cutting a name would change it. */
export const plainText = (maxLength: number) =>
  z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must be at most ${maxLength} characters`)
    .refine(isStorable, 'must not contain NUL or unpaired surrogates')

export const rowId = z.int().positive().max(MAX_ROW_ID)

/** A row ID as text, in a path or a form: plain digits only. */
export const rowIdText = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  // In a union, the message of the alternative with the right shape replaces the union's own.
  .refine((id) => id <= MAX_ROW_ID, `must be at most ${MAX_ROW_ID}`)

const NOT_A_PROGRAM = 'must be a program ID, such as 12'

/** A program's numeric ID. Callers that read it from a form or from metadata send it as text. */
export const programId = z.union([rowId, rowIdText], NOT_A_PROGRAM)

/** The program named in a call with an API key: any integer parses, and one that is not the key's program is a mismatch. */
export const namedProgram = z.union([z.int(), rowIdText], NOT_A_PROGRAM)

declare const isTimestamp: unique symbol
/** Text as any other, but the server may give a `Date` for it. */
export type Timestamp = string & { readonly [isTimestamp]?: true }

export const timestamp: z.ZodType<Timestamp> = z.string().describe('ISO 8601 in UTC, with milliseconds')

/** What the server may give for an answer of this type: a `Date` where it has a timestamp. */
export type Sendable<T> = T extends string
  ? typeof isTimestamp extends keyof T
    ? T | Date
    : T
  : T extends number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Sendable<Item>[]
      : T extends object
        ? { [Key in keyof T]: Sendable<T[Key]> }
        : T

export const mailedFlag = z
  .boolean()
  .optional()
  .describe('Whether the email was handed to the mail server; absent if the instance has none (`SMTP_URL`)')

const flag = z.boolean().catch(false).default(false)

/** On a click, anything but the documented shape is ignored: no optional field may lose a click. */
export const lenientAdditionalData = z
  .object({
    test_mode: flag.describe('True creates a test event'),
    program_id: programId.nullable().catch(null).default(null).describe('The program ID from the program settings'),
  })
  .catch({ test_mode: false, program_id: null })
  .default({ test_mode: false, program_id: null })

export const additionalData = z
  .object(
    {
      test_mode: z.boolean().default(false).describe('True creates a test event'),
      program_id: programId.nullable().default(null).describe('The program ID from the program settings'),
    },
    'must be an object',
  )
  .nullish()
  .transform((data) => data ?? { test_mode: false, program_id: null })
