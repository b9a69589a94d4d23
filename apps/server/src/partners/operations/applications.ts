import { APPLICATIONS } from '@tributary/contract/declared'
import { asRefusal } from '../../accounts/as-refusal.ts'
import type { Auth } from '../../accounts/auth.ts'
import { findByPassword } from '../../accounts/find-by-password.ts'
import { nullIfEmailTaken, type SignUps } from '../../accounts/sign-ups.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { applicationDecided } from '../../mail/program-emails.ts'
import { announceApproved } from '../../money/commissions/announce-payable.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { announceDecision } from '../../notifications/announce.ts'
import type { User } from '../../platform/actor.ts'
import type { Audit } from '../../platform/audit.ts'
import { runs } from '../../platform/runs.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { findApplicationForm } from '../../programs/application-forms.ts'
import { brandOf } from '../../programs/branding.ts'
import { mailBrandOf } from '../../programs/mail-brand.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Visitors } from '../../visitors/visitor.ts'
import { confirmEmail, recordDecision } from '../applications/applications.ts'
import { isEmailTaken, refuseClosed } from '../applications/apply.ts'
import { partnerOfUser, partnersWithSignIn } from '../partner-users.ts'
import { contactsOf, decidePending, statusesOf } from '../partners.ts'
import { mailConfirmation, readApplication, reconsider, submitApplication } from './submit-application.ts'

type Services = { auth: Auth; signUp: SignUps; visitors: Visitors; mailer: Mailer | null; portalUrl: string }

/** Applications by partners without a session, even while sign-up is closed, and decisions about applications. */
export const applications = ({ auth, signUp, visitors, mailer, portalUrl }: Services) =>
  runs(
    APPLICATIONS,
    {},
    {
      decide: {
        ownTransactions: async ({ db, program, clock, audit, body: { partnerIds, decision: status, message } }) => {
          const decision = { programId: program.id, partnerIds, status, message: message || null }
          const { ids, addresses } = await inTransaction(db, (tx) => decide(tx, { ...decision, audit, at: clock() }))
          if (mailer) await mailDecision({ db, mailer, portalUrl }, { ...decision, program, addresses })
          const skipped = [...new Set(partnerIds)].filter((id) => !ids.includes(id))
          return { decided: ids.toSorted((one, other) => one - other), skipped }
        },
      },

      page: {
        allow: ({ program }) => refuseClosed(program),
        run: ({ db, program, clock }) => pageOf(db, program, clock()),
      },

      // Same response and same work (one password hash) in every case, so that callers cannot probe for accounts.
      apply: {
        allow: ({ program }) => refuseClosed(program),
        ownTransactions: async ({ db, program, clock, ip, body: { answers, agreementVersion, ...account } }) => {
          const sent = { programId: program.id, answers, agreementVersion, ip }
          const application = await readApplication({ db, visitors }, sent)
          let token: string | null = null
          const submit = async (tx: Tx, user: User) => {
            token = await submitApplication(tx, { program, user, application, at: clock(), canMail: mailer !== null })
          }
          try {
            const isNew = await asRefusal(nullIfEmailTaken(signUp({ account, asPartner: true, complete: submit })))
            if (!isNew) await applyWithAccount({ db, auth }, { programId: program.id, account, submit })
          } catch (error) {
            // The address already belongs to a partner. The response must not reveal that.
            if (!isEmailTaken(error)) throw error
          }
          void mailConfirmation({ db, mailer, portalUrl }, { program, email: account.email, token })
          return { received: true as const }
        },
      },

      confirm: async ({ tx, clock, body: { token } }) => {
        const at = clock()
        const application = await confirmEmail(tx, { token, at })
        const program = application && (await findProgram(tx, application.programId))
        if (!application || !program)
          throw new Refusal('not_found', 'This link has expired or is incomplete. Open the link in the email again.')
        const { programId, partnerId, websites, country } = application
        const ids = [partnerId]
        const email = (await contactsOf(tx, { programId, ids })).get(partnerId)?.email ?? ''
        await reconsider(tx, { programId, partnerId, facts: { websites, country, email, isEmailConfirmed: true }, at })
        const { programName } = await brandOf(tx, program)
        return { programName, approved: (await statusesOf(tx, { programId, ids })).get(partnerId) === 'approved' }
      },
    },
  )

type Decision = {
  programId: number
  partnerIds: number[]
  status: 'approved' | 'rejected'
  message: string | null
  audit: Audit
  at: Date
}

/** Returns the partners who were pending, and the addresses of those who cannot sign in and so get no notifications. */
const decide = async (tx: Tx, { programId, partnerIds, status, message, audit, at }: Decision) => {
  const decided = await decidePending(tx, { programId, ids: partnerIds, status, at })
  const ids = decided.map(({ id }) => id)
  await recordDecision(tx, { programId, ids, message, at })
  for (const id of ids) {
    const change = { before: { status: 'pending' }, after: { status, ...(message && { message }) }, at }
    await audit(tx, { action: 'partner changed', subject: `partner ${id}`, ...change })
    await announceDecision(tx, { programId, partnerId: id, status, message, at })
  }
  if (status === 'approved') await announceApproved(tx, { programId, partnerIds: ids, at })
  const reached = await partnersWithSignIn(tx, { programId, ids })
  return { ids, addresses: decided.flatMap(({ id, email }) => (email && !reached.has(id) ? [email] : [])) }
}

type Letter = {
  program: Program
  addresses: string[]
  status: Decision['status']
  message: string | null
}

/** At the same time for all: a slow mail server delays the response once, not once per applicant. */
const mailDecision = async (
  { db, mailer, portalUrl }: { db: Database; mailer: Mailer; portalUrl: string },
  { program, addresses, status, message }: Letter,
) => {
  if (addresses.length === 0) return
  const sender = await mailBrandOf(db, program)
  const email = applicationDecided({ ...sender, decision: status, message, url: `${portalUrl}/portal` })
  await Promise.all(addresses.map((address) => mailer.send(address, email)))
}

const pageOf = async (db: Database, program: Program, at: Date) => {
  const { id: programId, currency } = program
  const terms = await termsAt(db, { programId, partnerId: null, at })
  const { questions } = await findApplicationForm(db, programId)
  return {
    programId,
    ...(await brandOf(db, program)),
    agreement: await findAgreement(db, programId),
    questions,
    text: program.applicationText,
    reward: rewardAnswer(terms, { currency, own: false }),
  }
}

type Reapplication = {
  programId: number
  account: { email: string; password: string }
  submit: (tx: Tx, user: User) => Promise<void>
}

/** For an address that already has an account: applies only if the password is correct. */
const applyWithAccount = async (
  { db, auth }: { db: Database; auth: Auth },
  { programId, account, submit }: Reapplication,
) => {
  const user = await findByPassword({ db, auth }, account)
  if (!user) return
  try {
    await inTransaction(db, (tx) => submit(tx, user))
  } catch (error) {
    // Already a partner, possibly through a concurrent call: nothing left to do.
    if (!(await partnerOfUser(db, { userId: user.id, programId }))) throw error
  }
}
