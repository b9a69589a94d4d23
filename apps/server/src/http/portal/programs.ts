import { acceptPartnerInvitationRequest, portalApplyRequest } from '@tributary/contract'
import { inTransaction } from '../../database/transaction.ts'
import { signInAdded } from '../../mail/program-emails.ts'
import { requireAcceptance } from '../../partners/agreement-acceptances.ts'
import { refuseClosed } from '../../partners/applications/apply.ts'
import { acceptAsPartner, notifyPartner } from '../../partners/operations/partner-access.ts'
import { findPartnerInvitation } from '../../partners/partner-invitations.ts'
import { partnerOfUser } from '../../partners/partner-users.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { portalProgram } from '../answers/portal-program.ts'
import type { App, Dependencies, User } from '../context.ts'
import { acceptAgreement, mailConfirmation, readApplication, submitApplication } from '../joining.ts'
import { answerWhole } from '../lists.ts'
import { programInPath } from '../program-in-path.ts'
import { check, readOptionalJson } from '../read-json.ts'
import { partnersOfCaller } from './partner-view.ts'
import { notPartner } from './require-partner.ts'

/** The programs a partner belongs to, and how they join another. */
export const portalPrograms = (app: App, dependencies: Dependencies) => {
  const { db, clock, mailer } = dependencies

  const answerFor = async (program: Program, userId: string) => {
    const partner = await partnerOfUser(db, { userId, programId: program.id })
    if (!partner) throw notPartner()
    return portalProgram(db, program, partner, clock())
  }

  app.get('/api/portal/programs', async (c) => {
    const rows = []
    for (const { programId, ...partner } of await partnersOfCaller(c, dependencies)) {
      const program = await findProgram(db, programId)
      if (!program) continue
      const answer = await portalProgram(db, program, partner, clock())
      rows.push({ ...answer, mayCreateLinks: answer.mayCreateLinks && !c.get('view') })
    }
    return answerWhole(c, rows)
  })

  app.post('/api/portal/invitations/:invitationId/accept', async (c) => {
    const { agreementVersion } = check(acceptPartnerInvitationRequest, await readOptionalJson(c))
    const id = c.req.param('invitationId')
    const program = await acceptInvitation(dependencies, { id, user: c.get('user'), agreementVersion })
    return c.json({ data: await answerFor(program, c.get('user').id) })
  })

  app.post('/api/portal/programs/:programId/apply', async (c) => {
    const program = await programInPath(c, dependencies)
    refuseClosed(program)
    const user = c.get('user')
    const request = check(portalApplyRequest, await readOptionalJson(c))
    const application = await readApplication(c, dependencies, { program, request })
    const submission = { program, user, application, at: clock(), canMail: mailer !== null }
    const token = await inTransaction(c.get('db'), (tx) => submitApplication(tx, submission))
    await mailConfirmation({ ...dependencies, db: c.get('db') }, { program, email: user.email, token })
    return c.json({ data: await answerFor(program, user.id) }, 201)
  })
}

type Acceptance = { id: string; user: User; agreementVersion: number | undefined }

/** Makes the signed-in user the invited partner, and notifies those who could sign in before. */
const acceptInvitation = async (dependencies: Dependencies, { id, user, agreementVersion }: Acceptance) => {
  const { db, clock } = dependencies
  const { id: userId, email } = user
  const at = clock()
  const { programId, addresses } = await inTransaction(db, async (tx) => {
    const invitation = await findPartnerInvitation(tx, { id, at })
    if (!invitation)
      throw new Refusal('not_found', 'This invitation has expired, was used, or does not exist. Ask for a new one.')
    if (invitation.email !== email.toLowerCase())
      throw new Refusal('forbidden', 'This invitation is for another email address. Sign in with that address.')
    const { programId, partnerId } = invitation
    const agreement = await findAgreement(tx, programId)
    requireAcceptance(agreement, agreementVersion)
    await acceptAgreement(tx, { programId, partnerId, userId, agreement, at })
    return { programId, addresses: await acceptAsPartner(tx, { id, programId, partnerId, userId, email, at }) }
  })
  const program = await findProgram(db, programId)
  if (!program) throw new Refusal('not_found', 'This program does not exist.')
  await notifyPartner(dependencies, { program, addresses, email: (sender) => signInAdded({ ...sender, email }) })
  return program
}
