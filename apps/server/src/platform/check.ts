import type { z } from 'zod'
import { Refusal } from '../refusal.ts'

/** Validates a request. The error names the first wrong field and what it must be. */
export const check = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> => {
  const result = schema.safeParse(value, { reportInput: true, error: describeIssue })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') || undefined
  const wrong = issue && isMissing(issue) ? 'is missing' : issue?.message
  throw new Refusal('invalid_request', `${field ?? 'The body'} ${wrong}.`, { field })
}

const isMissing = ({ code, input }: z.core.$ZodIssue) =>
  (code === 'invalid_type' || code === 'invalid_value') && input === undefined

type Issue = z.core.$ZodRawIssue

const TYPES: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const COUNTED: Record<string, string> = { string: 'characters', array: 'entries' }

const NOT_VALID = 'is invalid'

const amount = (limit: number | bigint, origin: string) => (COUNTED[origin] ? `${limit} ${COUNTED[origin]}` : limit)

/**
 * Describes the error of a field, worded to follow its name. Replaces zod's messages, which address the author of the schema. A schema
 * with its own message takes precedence.
 */
const describeIssue = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ? `must be ${TYPES[issue.expected]}` : NOT_VALID
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${amount(issue.minimum, issue.origin)}`
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${amount(issue.maximum, issue.origin)}`
    case 'unrecognized_keys':
      return `must not contain ${issue.keys.join(', ')}`
    default:
      return NOT_VALID
  }
}
