import { SIGN_IN_ADDED, SIGN_IN_REMOVED } from '../audit/access-changes.ts'
import { note } from '../audit/audit-log.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import type { Email } from '../mail/emails.ts'
import type { Mailer } from '../mail/mailer.ts'
import { hasEarned } from '../money/ledger/ledger.ts'
import { holdPayoutDestination } from '../partners/destination-holds.ts'
import { acceptPartnerInvitation, endPartnerInvitations } from '../partners/partner-invitations.ts'
import { listSignIns, releaseApplications } from '../partners/partner-users.ts'
import { contactsOf } from '../partners/partners.ts'
import type { Dependencies } from './context.ts'

type Accepting = Parameters<typeof acceptPartnerInvitation>[1] & { email: string }

/** Accepts the invitation, with an audit entry. Answers the addresses to notify: none for the partner's first sign-in. */
export const acceptAsPartner = async (tx: Tx, { email, ...accepting }: Accepting): Promise<string[]> => {
  const { programId, partnerId, userId, at } = accepting
  const earlier = (await listSignIns(tx, { programId, partnerId })).filter((signIn) => signIn.userId !== userId)
  await acceptPartnerInvitation(tx, accepting)
  const before = earlier.length > 0 ? { emails: earlier.map((signIn) => signIn.email) } : null
  const entry = { action: SIGN_IN_ADDED, subject: `partner ${partnerId}`, before, after: { email } }
  await note(tx, { programId, userId, byPartnerId: partnerId, ...entry, at })
  // Somebody else may hold the link of a first invitation too: what was earned before it does not leave unseen.
  if (before || (await hasEarned(tx, { programId, partnerId })))
    await holdPayoutDestination(tx, { programId, partnerId, at })
  if (!before) return []
  const contact = (await contactsOf(tx, { programId, ids: [partnerId] })).get(partnerId)
  return [...(contact?.email ? [contact.email] : []), ...before.emails]
}

type Ending = { programId: number; partnerId: number; userId: string; reason: string; at: Date }

/** Ends open invitations of the partner, with an audit entry for each. */
export const endInvitations = async (tx: Tx, { programId, partnerId, userId, reason, at }: Ending) => {
  for (const email of await endPartnerInvitations(tx, { programId, partnerId, at })) {
    const entry = { action: 'partner invitation ended', subject: `partner ${partnerId}`, before: { email } }
    await note(tx, { programId, userId, ...entry, after: { reason }, at })
  }
}

/**
 * Releases the applications of an account that somebody claims, with an audit entry for each. Who claims it is nobody to those
 * programs, so the entries are the service's.
 *
 * Where mail can prove an address, only a link that was mailed and shown to nobody takes an applicant from another workspace:
 * whoever has a workspace could invite that address and use the link. Without a mail server, nothing proves more than the link.
 */
export const releaseClaimed = ({ clock, mailer }: Pick<Dependencies, 'clock' | 'mailer'>, invitation: Claiming) => {
  const onlyIn = mailer && !invitation.onlyMailed ? invitation.workspaceId : null
  return (tx: Tx, userId: string) => release(tx, { clock, userId, onlyIn })
}

type Claiming = { workspaceId: string; onlyMailed: boolean }
type Releasing = { clock: Clock; userId: string; onlyIn: string | null }

const release = async (tx: Tx, { clock, userId, onlyIn }: Releasing) => {
  const released = await releaseApplications(tx, { userId, onlyIn })
  if (!released) return false
  for (const { programId, partnerId, email } of released) {
    const change = { before: { emails: [email] }, after: { reason: 'account claimed with an invitation' } }
    const entry = { action: SIGN_IN_REMOVED, subject: `partner ${partnerId}`, ...change }
    await note(tx, { programId, userId: null, ...entry, at: clock() })
  }
  return true
}

/** Tells the partner that their access changed, at every address that was theirs before. Without a mail server, nothing. */
export const notifyPartner = async (mailer: Mailer | null, addresses: string[], email: () => Email) => {
  const each = new Map(addresses.map((address) => [address.toLowerCase(), address]))
  if (mailer) await Promise.all([...each.values()].map((address) => mailer.send(address, email())))
}
