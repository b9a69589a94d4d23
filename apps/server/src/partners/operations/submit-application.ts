import { recordAudit } from '../../audit/audit-log.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { confirmApplication } from '../../mail/program-emails.ts'
import { announceApproved } from '../../money/commissions/announce-payable.ts'
import { announceApplication, announceDecision } from '../../notifications/announce.ts'
import type { User } from '../../platform/actor.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { findApplicationForm } from '../../programs/application-forms.ts'
import { mailBrandOf } from '../../programs/mail-brand.ts'
import type { Program } from '../../programs/programs.ts'
import { isPublicAddress } from '../../visitors/network-of.ts'
import type { Visitors } from '../../visitors/visitor.ts'
import { requireAcceptance } from '../agreement-acceptances.ts'
import { addApplication, createConfirmation, recordDecision } from '../applications/applications.ts'
import { applyAs } from '../applications/apply.ts'
import { type ApplicationFacts, isAutoApproved, isEmailOn } from '../applications/auto-approval.ts'
import { checkAnswers } from '../applications/check-answers.ts'
import { createCodeLink } from '../code-links.ts'
import { addVisit } from '../partner-visits.ts'
import { decidePending } from '../partners.ts'
import type { PartnerKey } from '../payout-details.ts'
import { acceptAgreement } from './accept-agreement.ts'
import { linkCreated } from './new-links.ts'

type Sent = {
  programId: number
  answers: Record<string, string>
  agreementVersion?: number | undefined
  ip: string | null
}

/** Checks what an applicant sent against the program's questions and agreement. */
export const readApplication = async (
  { db, visitors }: { db: Database; visitors: Visitors },
  { programId, answers, agreementVersion, ip }: Sent,
) => {
  const { questions, autoApprove } = await findApplicationForm(db, programId)
  const agreement = await findAgreement(db, programId)
  requireAcceptance(agreement, agreementVersion)
  const { country, visitorHash } = visitors({ ip, userAgent: null })
  const visit = ip !== null && isPublicAddress(ip) ? visitorHash : null
  return { ...checkAnswers(questions, answers), autoApprove, agreement, country, visit }
}

type Checked = Awaited<ReturnType<typeof readApplication>>
type Submission = { program: Program; user: User; application: Checked; at: Date; canMail: boolean }

/** Creates the partner with everything they sent. Returns the token to mail if their address decides about approval. */
export const submitApplication = async (tx: Tx, { program, user, application, at, canMail }: Submission) => {
  const { answers, websites, country, autoApprove: rules, agreement, visit } = application
  const { id: programId } = program
  const partner = await applyAs(tx, { programId, user, at })
  const key = { programId, partnerId: partner.id }
  await addApplication(tx, { ...key, answers, websites, country, appliedAt: at })
  if (visit !== null) await addVisit(tx, { ...key, visitorHash: visit, at })
  await acceptAgreement(tx, { ...key, userId: user.id, agreement, at })
  const link = await createCodeLink(tx, { ...key, code: partner.code, at })
  if (link) await recordAudit(tx, { programId, userId: user.id, byPartnerId: partner.id, ...linkCreated(link), at })
  const after = { name: partner.name, email: partner.email, status: 'pending' }
  const entry = { action: 'partner applied', subject: `partner ${partner.id}`, after, at }
  await recordAudit(tx, { programId, userId: user.id, byPartnerId: partner.id, ...entry })
  const facts = { websites, country, email: user.email, isEmailConfirmed: false }
  if (isAutoApproved(rules, facts)) {
    await approveAutomatically(tx, { ...key, at })
    return null
  }
  await announceApplication(tx, { ...key, name: partner.name, at })
  return canMail && rules && isEmailOn(user.email, rules.emailDomains) ? createConfirmation(tx, key) : null
}

const approveAutomatically = async (tx: Tx, { programId, partnerId, at }: PartnerKey & { at: Date }) => {
  const [approved] = await decidePending(tx, { programId, ids: [partnerId], status: 'approved', at })
  if (!approved) return false
  await recordDecision(tx, { programId, ids: [partnerId], message: null, at })
  const change = { before: { status: 'pending' }, after: { status: 'approved', reason: 'matches the approval rules' } }
  const entry = { action: 'partner changed', subject: `partner ${partnerId}`, ...change, at }
  await recordAudit(tx, { programId, userId: null, ...entry })
  await announceDecision(tx, { programId, partnerId, status: 'approved', at })
  await announceApproved(tx, { programId, partnerIds: [partnerId], at })
  return true
}

type Confirmed = PartnerKey & { facts: ApplicationFacts; at: Date }

/** Applies the rules again, now that the address is confirmed. Returns whether this approved the partner. */
export const reconsider = async (tx: Tx, { programId, partnerId, facts, at }: Confirmed) => {
  const { autoApprove } = await findApplicationForm(tx, programId)
  return isAutoApproved(autoApprove, facts) ? approveAutomatically(tx, { programId, partnerId, at }) : false
}

type Confirmation = { program: Program; email: string; token: string | null }

/** Not awaited by callers: a response that takes as long as sending mail would reveal that the application was new. */
export const mailConfirmation = async (
  { db, mailer, portalUrl }: { db: Database; mailer: Mailer | null; portalUrl: string },
  { program, email, token }: Confirmation,
) => {
  if (!mailer || !token) return
  const url = `${portalUrl}/apply/confirm/${token}`
  await mailer.send(email, confirmApplication({ ...(await mailBrandOf(db, program)), url }))
}
