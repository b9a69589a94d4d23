import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { PARTNER_STATUSES, PERMISSIONS, ROLES } from '../names.ts'

const email = z.email('must be an e-mail address').max(254, 'must be at most 254 characters')

export const signUpRequest = z.object({
  name: plainText(120),
  email,
  password: z
    .string('must be a string')
    .min(8, 'must be at least 8 characters')
    .max(128, 'must be at most 128 characters'),
  invitationId: plainText(200)
    .optional()
    .describe('From the invitation link; the first account of an instance needs none'),
  setupToken: z
    .string()
    .optional()
    .describe(
      'For the first account of an instance, from the address that the start prints; not needed on that machine',
    ),
})

export const signInRequest = z.object({ email, password: z.string('must be a string') })

const password = z
  .string('must be a string')
  .min(8, 'must be at least 8 characters')
  .max(128, 'must be at most 128 characters')

export const changePasswordRequest = z.object({
  currentPassword: z.string('must be a string').max(128, 'must be at most 128 characters'),
  newPassword: password,
  revokeOtherSessions: z.boolean('must be true or false').default(true).describe('Signs out everywhere else'),
})

export const requestResetRequest = z.object({ email })
/** The same whether or not there is such an account. */
export const resetRequested = z.object({ status: z.literal(true) })

export const resetPasswordRequest = z.object({
  token: z.string('must be a string').min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
  newPassword: password,
})

export const updateUserRequest = z.object({ name: plainText(120) })

export const revokeSessionRequest = z.object({
  token: z.string('must be a string').min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
})

export const accountSession = z.object({
  id: z.string(),
  token: z.string().describe('Names the session when it is revoked'),
  userAgent: z.string().nullish(),
  createdAt: timestamp,
  updatedAt: timestamp,
  expiresAt: timestamp,
})

export const me = z.strictObject({
  user: z.strictObject({ id: z.string(), name: z.string(), email: z.string() }),
  workspaces: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      role: z.enum(ROLES),
      permissions: z.array(z.enum(PERMISSIONS)),
      createdAt: timestamp,
      programs: z.array(z.strictObject({ id: z.int(), name: z.string(), currency: z.string(), timezone: z.string() })),
    }),
  ),
  partnerOf: z
    .array(
      z.strictObject({
        programId: z.int(),
        programName: z.string(),
        partnerId: z.int(),
        status: z.enum(PARTNER_STATUSES),
      }),
    )
    .describe('Where the user is a partner: the portal is for them'),
})

/** The session itself is in the cookie that comes along. */
export const signedIn = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string(), createdAt: timestamp }),
})
