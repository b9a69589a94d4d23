import { PORTAL_PROGRAMS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { type ProgramSender, signInAdded } from '../../mail/program-emails.ts'
import { runs } from '../../platform/runs.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Visitors } from '../../visitors/visitor.ts'
import { requireAcceptance } from '../agreement-acceptances.ts'
import { refuseClosed } from '../applications/apply.ts'
import { partnerOfUser, partnersOfCaller } from '../partner-users.ts'
import { acceptAgreement } from './accept-agreement.ts'
import { acceptAsPartner, notifyPartner } from './partner-access.ts'
import { openInvitation } from './partner-invitations.ts'
import { portalProgram } from './portal-program.ts'
import { mailConfirmation, readApplication, submitApplication } from './submit-application.ts'

type Services = { visitors: Visitors; mailer: Mailer | null; portalUrl: string }

/** The programs a partner belongs to, and how they join another. */
export const portalPrograms = ({ visitors, mailer, portalUrl }: Services) =>
  runs(
    PORTAL_PROGRAMS,
    {},
    {
      view: async ({ actor: { view } }) => {
        if (!view) return null
        const { programId, partnerId, name } = view.partner
        return { programId, partnerId, partnerName: name, endsAt: view.endsAt }
      },

      list: async ({ db, actor, clock }) => {
        const rows = []
        for (const { programId, ...partner } of await partnersOfCaller(db, actor)) {
          const program = await findProgram(db, programId)
          if (!program) continue
          const answer = await portalProgram(db, program, partner, clock())
          rows.push({ ...answer, mayCreateLinks: answer.mayCreateLinks && !actor.view })
        }
        return rows
      },

      // Makes the signed-in user the invited partner, and notifies those who could sign in before.
      accept: {
        ownTransactions: async ({ db, actor, params: { invitationId: id }, clock, body: { agreementVersion } }) => {
          const { id: userId, email } = actor
          const { program, addresses } = await inTransaction(db, async (tx) => {
            const at = clock()
            const invitation = await openInvitation(tx, { id, at })
            if (invitation.email !== email.toLowerCase())
              throw new Refusal('forbidden', 'This invitation is for another email address. Sign in with that address.')
            const { programId, partnerId } = invitation
            const program = await findProgram(tx, programId)
            if (!program) throw new Refusal('not_found', 'This program does not exist.')
            const agreement = await findAgreement(tx, programId)
            requireAcceptance(agreement, agreementVersion)
            await acceptAgreement(tx, { programId, partnerId, userId, agreement, at })
            return { program, addresses: await acceptAsPartner(tx, { id, programId, partnerId, userId, email, at }) }
          })
          const added = { program, addresses, email: (sender: ProgramSender) => signInAdded({ ...sender, email }) }
          await notifyPartner({ db, mailer }, added)
          return programOf(db, { program, userId, at: clock() })
        },
      },

      apply: {
        allow: ({ program }) => refuseClosed(program),
        ownTransactions: async ({ db, program, actor: user, clock, ip, body }) => {
          const application = await readApplication({ db, visitors }, { programId: program.id, ...body, ip })
          const submission = { program, user, application, at: clock(), canMail: mailer !== null }
          const token = await inTransaction(db, (tx) => submitApplication(tx, submission))
          await mailConfirmation({ db, mailer, portalUrl }, { program, email: user.email, token })
          return programOf(db, { program, userId: user.id, at: clock() })
        },
      },
    },
  )

type Membership = { program: Program; userId: string; at: Date }

const programOf = async (db: Database, { program, userId, at }: Membership) => {
  const partner = await partnerOfUser(db, { userId, programId: program.id })
  if (!partner) throw new Error(`User ${userId} joined program ${program.id} and is not a partner of it`)
  return portalProgram(db, program, partner, at)
}
