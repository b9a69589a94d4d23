import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { PARTNER_STATUSES, PERMISSIONS, ROLES } from '../names.ts'

const email = z
  .email('must be an email address')
  .max(254, 'must be at most 254 characters')
  .describe('Email address of the account')

const password = z
  .string('must be a string')
  .min(8, 'must be at least 8 characters')
  .max(128, 'must be at most 128 characters')

const accountName = plainText(120).describe('Name that others see')

export const signUpRequest = z.object({
  name: accountName,
  email,
  password: password.describe('8 to 128 characters'),
  invitationId: plainText(200)
    .optional()
    .describe('ID from the invitation link. The first account on an instance needs none'),
  setupToken: z
    .string()
    .optional()
    .describe(
      'Setup token from the address printed at startup. Needed for the first account, unless the call comes directly from the same machine and `BASE_URL` is a loopback address',
    ),
})

export const signInRequest = z.object({
  email,
  password: z.string('must be a string').describe('Password of the account'),
})

export const changePasswordRequest = z.object({
  currentPassword: z
    .string('must be a string')
    .max(128, 'must be at most 128 characters')
    .describe('The password until now'),
  newPassword: password.describe('8 to 128 characters'),
  revokeOtherSessions: z.boolean('must be true or false').default(true).describe('Also sign out all other sessions'),
})

export const requestResetRequest = z.object({ email })
/** The same whether or not the account exists, so that callers cannot probe for accounts. */
export const resetRequested = z.object({ status: z.literal(true) })

export const resetPasswordRequest = z.object({
  token: z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .describe('Token from the link in the email'),
  newPassword: password.describe('8 to 128 characters'),
})

export const updateUserRequest = z.object({ name: accountName })

export const revokeSessionRequest = z.object({
  token: z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .describe('Token of the session, from `GET /api/auth/list-sessions`'),
})

export const accountSession = z.object({
  id: z.string(),
  token: z.string().describe('Pass it to revoke the session'),
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
      requireTwoFactor: z.boolean().describe('Whether payouts, rewards and payout details need two-factor sign-in'),
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
    .describe('Programs where the user is a partner'),
})

/** The session is in the cookie that this response sets. */
export const signedIn = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string(), createdAt: timestamp }),
})
