import { z } from 'zod'
import { plainText, timestamp } from './fields.ts'

const email = z.email('must be an e-mail address').max(254, 'must be at most 254 characters')

export const signUpRequest = z.object({
  name: plainText(120),
  email,
  password: z
    .string('must be a string')
    .min(8, 'must be at least 8 characters')
    .max(128, 'must be at most 128 characters'),
  invitationId: z.string().optional().describe('From the invitation link; the first account of an instance needs none'),
})

export const signInRequest = z.object({ email, password: z.string('must be a string') })

/** The session itself is in the cookie that comes along. */
export const signedIn = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string(), createdAt: timestamp }),
})
