import { SIGN_IN_ADDED, SIGN_IN_REMOVED } from '../../audit/access-changes.ts'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { usersById } from '../../database/sql/users-by-id.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Email } from '../../mail/emails.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { ProgramSender } from '../../mail/program-emails.ts'
import { hasEarned } from '../../money/ledger/ledger.ts'
import { requirePayoutManage } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import type { Audit } from '../../platform/audit.ts'
import { mailBrandOf } from '../../programs/mail-brand.ts'
import type { Program } from '../../programs/programs.ts'
import { holdPayoutDestination } from '../destination-holds.ts'
import { acceptPartnerInvitation, endPartnerInvitations } from '../partner-invitations.ts'
import { findApplications, listSignIns, removeApplications } from '../partner-users.ts'
import { contactsOf } from '../partners.ts'

type Acceptance = Parameters<typeof acceptPartnerInvitation>[1] & { email: string }

/** Accepts the invitation, with an audit log entry. Returns the addresses to notify: none for the partner's first sign-in. */
export const acceptAsPartner = async (tx: Tx, { email, ...acceptance }: Acceptance): Promise<string[]> => {
  const { programId, partnerId, userId, at } = acceptance
  const earlier = (await listSignIns(tx, { programId, partnerId })).filter((signIn) => signIn.userId !== userId)
  await acceptPartnerInvitation(tx, acceptance)
  const before = earlier.length > 0 ? { emails: earlier.map((signIn) => signIn.email) } : null
  const entry = { action: SIGN_IN_ADDED, subject: `partner ${partnerId}`, before, after: { email } }
  await recordAudit(tx, { programId, userId, byPartnerId: partnerId, ...entry, at })
  // The link may have leaked, so earlier earnings are held even for a first sign-in.
  if (before || (await hasEarned(tx, { programId, partnerId })))
    await holdPayoutDestination(tx, { programId, partnerId, at })
  if (!before) return []
  const contact = (await contactsOf(tx, { programId, ids: [partnerId] })).get(partnerId)
  return [...(contact?.email ? [contact.email] : []), ...before.emails]
}

/** What a member changes about a partner, and with what. */
export type AccessChange = { program: Program; actor: Member; partnerId: number; clock: Clock; audit: Audit }

type Cancellation = { reason: string; at: Date }

/** Ends the partner's open invitations, with an audit log entry for each. */
export const endInvitations = async (tx: Tx, access: AccessChange, { reason, at }: Cancellation) => {
  const { program, partnerId, audit } = access
  for (const email of await endPartnerInvitations(tx, { programId: program.id, partnerId, at })) {
    const change = { before: { email }, after: { reason } }
    await audit(tx, { action: 'partner invitation ended', subject: `partner ${partnerId}`, ...change, at })
  }
}

export const isSameAddress = (one: string | null | undefined, other: string | null | undefined) =>
  (one ?? null)?.toLowerCase() === (other ?? null)?.toLowerCase()

/**
 * The partner's email address controls their sign-in, and with it where the money goes: changing it needs the permission, ends open
 * invitations and puts the destination on hold. `email` is the earlier one. Returns the addresses to notify.
 */
export const changeEmailAccess = async (tx: Tx, access: AccessChange, { email, at }: EarlierEmail) => {
  const { program, actor, partnerId } = access
  const member = { user: actor, workspaceId: program.workspaceId }
  await requirePayoutManage(tx, member, 'Changing a partner’s email address')
  await endInvitations(tx, access, { reason: 'email address changed', at })
  const key = { programId: program.id, partnerId }
  const signIns = await listSignIns(tx, key)
  const addresses = [...(email ? [email] : []), ...signIns.map((signIn) => signIn.email)]
  if (addresses.length > 0) await holdPayoutDestination(tx, { ...key, at })
  return addresses
}

type EarlierEmail = { email: string | null; at: Date }

/**
 * Releases the partner applications of an account that an invited person claims. The audit log entries name no user, because the
 * claimant is unknown to those programs.
 *
 * With a mail server, only a link that was emailed and never shown proves that the claimant owns the address. A link that was shown
 * releases only applications in the inviting workspace: otherwise any workspace could invite an applicant's address and take over
 * the account. Without a mail server, the link is the only proof there is.
 */
export const releaseClaimed = ({ clock, mailer }: ClaimSources, invitation: Invitation) => {
  const onlyIn = mailer && !invitation.onlyMailed ? invitation.workspaceId : null
  return (tx: Tx, userId: string) => release(tx, { clock, userId, onlyIn })
}

type ClaimSources = { clock: Clock; mailer: Mailer | null }
type Invitation = { workspaceId: string; onlyMailed: boolean }
type Claim = Pick<ClaimSources, 'clock'> & { userId: string; onlyIn: string | null }

const release = async (tx: Tx, { clock, userId, onlyIn }: Claim) => {
  const found = await findApplications(tx, { userId, onlyIn })
  if (found.some(({ isBound }) => isBound)) return false
  const email = (await usersById(tx, [userId])).get(userId)?.email ?? ''
  await removeApplications(tx, userId)
  for (const { programId, partnerId } of found) {
    const change = { before: { emails: [email] }, after: { reason: 'account claimed with an invitation' } }
    const entry = { action: SIGN_IN_REMOVED, subject: `partner ${partnerId}`, ...change }
    await recordAudit(tx, { programId, userId: null, ...entry, at: clock() })
  }
  return true
}

type Notice = { program: { id: number; name: string }; addresses: string[]; email: (sender: ProgramSender) => Email }

/** Emails every earlier address of the partner that their access changed, if there is a mail server. */
export const notifyPartner = async (
  { db, mailer }: { db: Database; mailer: Mailer | null },
  { program, addresses, email }: Notice,
) => {
  if (!mailer || addresses.length === 0) return
  const each = new Map(addresses.map((address) => [address.toLowerCase(), address]))
  const written = email(await mailBrandOf(db, program))
  await Promise.all([...each.values()].map((address) => mailer.send(address, written)))
}
