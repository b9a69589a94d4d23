import { z } from 'zod'

const email = z
  .email('must be an email address')
  .max(254, 'must be at most 254 characters')
  .describe('Email address of the account')

const code = z
  .string('must be a string')
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must be the 6 digits that your authenticator app shows'))
  .describe('The 6 digits that your authenticator app shows')

const recoveryCode = z
  .string('must be a string')
  .min(1, 'must be one of your recovery codes')
  .max(40, 'must be one of your recovery codes')

const password = z
  .string('must be a string')
  .max(128, 'must be at most 128 characters')
  .optional()
  .describe('Your password. Not needed if your account has none')

/** The password was right, but the account also needs a second factor. There is no session yet. */
export const secondFactorNeeded = z.object({
  twoFactorRequired: z
    .literal(true)
    .describe('There is no session yet. Send a code to `/api/auth/two-factor/verify` within 10 minutes'),
})

export const verifySecondFactorRequest = z
  .object({
    code: code.optional().describe('The 6 digits that your authenticator app shows'),
    recoveryCode: recoveryCode.optional().describe('Instead of `code`; works once'),
  })
  .refine((body) => (body.code === undefined) !== (body.recoveryCode === undefined), {
    error: 'must be sent, or recoveryCode instead, but not both',
    path: ['code'],
  })

export const twoFactorState = z.strictObject({
  enabled: z.boolean(),
  hasPassword: z.boolean().describe('False if the account signs in by email link or identity provider only'),
  recoveryCodesLeft: z.int(),
})
export type TwoFactorState = z.infer<typeof twoFactorState>

export const enableTwoFactorRequest = z.object({ password })
export const twoFactorSecret = z.strictObject({
  uri: z.string().describe('An `otpauth://` URI to show as a QR code'),
  secret: z.string().describe('The same secret to type into an authenticator app'),
  recoveryCodes: z.array(z.string()).describe('Shown only once. They work after the first code is confirmed'),
})
export type TwoFactorSecret = z.infer<typeof twoFactorSecret>

export const confirmTwoFactorRequest = z.object({ code })
export const changeTwoFactorRequest = z.object({ password, code })
export const newRecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })

const token = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(200, 'must be at most 200 characters')
  .describe('Token from the link in the email')

export const requestLinkRequest = z.object({ email })
export const confirmLinkRequest = z.object({ token })

export const changeEmailRequest = z.object({
  email: email.transform((text) => text.toLowerCase()).describe('The new email address'),
  password,
  code: code.optional().describe('The 6 digits that your authenticator app shows, if you have two-factor sign-in'),
})
export const confirmEmailRequest = z.object({ token })
export const emailChange = z.strictObject({
  state: z
    .enum(['approval_sent', 'confirmation_sent', 'changed'])
    .describe(
      '`approval_sent`: open the link sent to the current address. `confirmation_sent`: then the one sent to the new address',
    ),
  email: z.string().optional().describe('The new email address'),
  mailed: z.boolean().optional().describe('Whether the mail server accepted the email'),
})
export type EmailChange = z.infer<typeof emailChange>

export const startSignOnRequest = z.object({
  next: z
    .string('must be a string')
    .max(500, 'must be at most 500 characters')
    .regex(/^\/(?![/\\])/, 'must be a path of the dashboard, such as /programs/1')
    .optional()
    .describe('Where to go after signing in'),
})
export const signOnStarted = z.strictObject({ url: z.string().describe('Open this page of the identity provider') })
