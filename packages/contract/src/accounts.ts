import { z } from 'zod'
import { timestamp } from './fields.ts'

const email = z.email('must be an e-mail address')

export const signUpRequest = z.object({
  name: z.string(),
  email,
  password: z.string().min(8).max(128),
  invitationId: z.string().optional().describe('From the invitation link; the first account of an instance needs none'),
})

export const signInRequest = z.object({ email, password: z.string() })

/** The session itself is in the cookie that comes along. */
export const signedIn = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string(), createdAt: timestamp }),
})
