import type { z } from 'zod'
import { Refusal } from '../refusal.ts'
import { describeIssue } from './describe-issue.ts'

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
