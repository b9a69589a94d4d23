import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/transient-errors.ts'
import { emailApproval, emailChanged, emailConfirmation, emailTaken } from '../../mail/emails.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { isAddressOfOther } from '../../partners/partner-invitations.ts'
import { partnershipsOf } from '../../partners/partner-users.ts'
import type { SignedInUser } from '../../platform/actor.ts'
import { findPrograms } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import {
  anyRequiresTwoFactor,
  type EmailChange,
  isDemoAccount,
  isManagedElsewhere,
  lockEmail,
  replaceEmail,
  storeEmailChange,
  takeEmailChange,
} from '../email-changes.ts'
import { workspacesOf } from '../operator.ts'
import { hasAccount, listInvitationsTo } from '../workspaces.ts'

type Services = { db: Database; clock: Clock; mailer: Mailer | null; baseUrl: string }
type Change = { user: SignedInUser; email: string }

/** Refuses accounts whose address is not theirs to change, before a password is checked. */
export const requireChangeableEmail = async (db: Database, user: SignedInUser) => {
  if (await isManagedElsewhere(db, user.id))
    throw new Refusal(
      'conflict',
      'Your team’s identity provider manages this email address. Ask the person who runs it to change it.',
    )
  if (await isDemoAccount(db, user.id)) throw new Refusal('conflict', 'The demo’s accounts keep their email addresses.')
  if (user.hasSecondFactor) return
  const partnerships = await partnershipsOf(db, user.id)
  const programs = await findPrograms(
    db,
    partnerships.map(({ programId }) => programId),
  )
  const workspaces = [...(await workspacesOf(db, user.id)), ...programs.map(({ workspaceId }) => workspaceId)]
  if (await anyRequiresTwoFactor(db, workspaces))
    throw new Refusal(
      'two_factor_required',
      'A workspace that you belong to requires two-factor sign-in. Turn it on, then change your email address.',
    )
}

/** Sends the first link. The response is the same whether or not the new address has an account. */
export const requestEmailChange = async ({ db, mailer, baseUrl }: Services & { mailer: Mailer }, change: Change) => {
  const { user, email: to } = change
  const waiting = { userId: user.id, from: user.email, to, step: 'approve' } as const
  const token = await inTransaction(db, (tx) => storeEmailChange(tx, waiting))
  const mailed = await mailer.send(user.email, emailApproval({ to, url: urlOf(baseUrl, waiting, token) }))
  return { state: 'approval_sent' as const, mailed }
}

const urlOf = (baseUrl: string, { step }: EmailChange, token: string) =>
  `${baseUrl}/account/email?${new URLSearchParams({ step, token })}`

/** Continues with the link of an email: the current address approves, then the new one confirms. */
export const continueEmailChange = async (
  { mailer, ...services }: Services & { mailer: Mailer },
  { user, token }: { user: SignedInUser; token: string },
) => {
  const { db, baseUrl } = services
  const done = await orTaken(
    inTransaction(db, async (tx) => {
      const change = await takeEmailChange(tx, { token, userId: user.id })
      const current = await lockEmail(tx, user.id)
      if (!change || change.from !== current) throw expired()
      if (change.step === 'confirm') {
        await apply(tx, services, { ...change, isVerified: true })
        return { change, token: null }
      }
      // The owner of a taken address gets a notice in place of the link, so the caller learns nothing.
      const isTaken = await hasAccount(tx, change.to)
      return { change, token: isTaken ? null : await storeEmailChange(tx, { ...change, step: 'confirm' }) }
    }),
  )
  const { from, to, step } = done.change
  if (step === 'confirm') {
    void mailer.send(from, emailChanged({ to }))
    return { state: 'changed' as const, email: to }
  }
  const url = done.token && urlOf(baseUrl, { ...done.change, step: 'confirm' }, done.token)
  const mailed = await mailer.send(to, url ? emailConfirmation({ from, url }) : emailTaken({ from }))
  return { state: 'confirmation_sent' as const, email: to, mailed }
}

/**
 * Without a mail server, no one can prove that they own an address. So an address that is invited, or a partner's, is refused too: it
 * belongs to whoever gets the invitation. All refusals read the same.
 */
export const changeEmailUnproven = async (services: Services, { user, email }: Change) => {
  const at = services.clock()
  await orTaken(
    inTransaction(services.db, async (tx) => {
      const from = await lockEmail(tx, user.id)
      if (from === undefined) throw expired()
      const isReserved =
        (await hasAccount(tx, email)) ||
        (await listInvitationsTo(tx, { email, at })).length > 0 ||
        (await isAddressOfOther(tx, { email, userId: user.id, at }))
      if (isReserved) throw unavailable()
      await apply(tx, services, { userId: user.id, from, to: email, isVerified: false })
    }),
  )
  return { state: 'changed' as const, email }
}

type Applied = Pick<EmailChange, 'userId' | 'from' | 'to'> & { isVerified: boolean }

/** With an audit entry in every workspace and program that the account can reach. */
const apply = async (tx: Tx, { clock }: Pick<Services, 'clock'>, { userId, from, to, isVerified }: Applied) => {
  await replaceEmail(tx, { userId, email: to, isVerified })
  const entry = { userId, action: 'email address changed', before: { email: from }, after: { email: to }, at: clock() }
  for (const workspaceId of await workspacesOf(tx, userId))
    await recordAudit(tx, { workspaceId, subject: `member ${to}`, ...entry })
  for (const { programId, partnerId } of await partnershipsOf(tx, userId))
    await recordAudit(tx, { programId, byPartnerId: partnerId, subject: `partner ${partnerId}`, ...entry })
}

/** Another account took the address in the meantime. */
const orTaken = async <Done>(change: Promise<Done>): Promise<Done> => {
  try {
    return await change
  } catch (error) {
    throw isUniqueViolation(error) ? unavailable() : error
  }
}

const unavailable = () =>
  new Refusal('conflict', 'This email address can’t be used for your account. Choose another one.', { field: 'email' })

const expired = () =>
  new Refusal(
    'not_found',
    'This link has expired, was already used, or belongs to another account. Sign in with the account that asked for the change, or ask again.',
  )
