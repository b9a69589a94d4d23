import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

const KINDS: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const COUNTED: Record<string, string> = { string: 'characters', array: 'entries' }

const NOT_VALID = 'is not valid'

const amount = (limit: number | bigint, origin: string) => (COUNTED[origin] ? `${limit} ${COUNTED[origin]}` : limit)

/**
 * What is wrong with a field, in words that read on from its name. The schemas say it themselves where they know better; the
 * library's own sentences are made for who wrote the schema, not for who sent the field.
 */
export const plainWords = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ? `must be ${KINDS[issue.expected]}` : NOT_VALID
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${amount(issue.minimum, issue.origin)}`
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${amount(issue.maximum, issue.origin)}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`
    default:
      return NOT_VALID
  }
}
