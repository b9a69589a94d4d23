import { applyRequest, confirmApplicationRequest } from '@tributary/contract'
import { asRefusal } from '../../accounts/as-refusal.ts'
import { findByPassword } from '../../accounts/find-by-password.ts'
import { nullIfEmailTaken } from '../../accounts/sign-ups.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { confirmEmail } from '../../partners/applications/applications.ts'
import { isEmailTaken, refuseClosed } from '../../partners/applications/apply.ts'
import { partnerOfUser } from '../../partners/partner-users.ts'
import { contactsOf, statusesOf } from '../../partners/partners.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { findApplicationForm } from '../../programs/application-forms.ts'
import { brandOf } from '../../programs/branding.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies, User } from '../context.ts'
import { mailConfirmation, readApplication, reconsider, submitApplication } from '../joining.ts'
import { programInPath } from '../program-in-path.ts'
import { check, readJson } from '../read-json.ts'

/** Applications by partners without a session, even while sign-up is closed. */
export const applications = (app: App, dependencies: Dependencies) => {
  const { db, signUp, limits, clock, mailer } = dependencies

  app.get('/api/public/programs/:programId/application', async (c) => {
    limits.visitor(c.get('clientIp'))
    const program = await programInPath(c, dependencies)
    refuseClosed(program)
    return c.json({ data: await applicationPage(c, dependencies, program) })
  })

  // Same response and same work (one password hash) in every case, so that callers cannot probe for accounts.
  app.post('/api/public/programs/:programId/apply', async (c) => {
    limits.signIn(c.get('clientIp'))
    const program = await programInPath(c, dependencies)
    refuseClosed(program)
    const { answers, agreementVersion, ...account } = check(applyRequest, await readJson(c))
    const application = await readApplication(c, dependencies, { program, request: { answers, agreementVersion } })
    let token: string | null = null
    const db = c.get('db')
    const also = async (tx: Tx, user: User) => {
      token = await submitApplication(tx, { program, user, application, at: clock(), canMail: mailer !== null })
    }
    try {
      const newAccount = signUp({ account, asPartner: true, also })
      const isNew = await asRefusal(nullIfEmailTaken(newAccount))
      if (!isNew) await applyWithAccount({ ...dependencies, db }, { programId: program.id, account, also })
    } catch (error) {
      // The address already belongs to a partner. The response must not reveal that.
      if (!isEmailTaken(error)) throw error
    }
    void mailConfirmation({ ...dependencies, db }, { program, email: account.email, token })
    return c.json({ data: { received: true } })
  })

  app.post('/api/public/applications/confirm', async (c) => {
    limits.signIn(c.get('clientIp'))
    const { token } = check(confirmApplicationRequest, await readJson(c))
    return c.json({ data: await confirm({ db, clock }, token) })
  })
}

const applicationPage = async (c: Call, { clock }: Dependencies, program: Program) => {
  const db = c.get('db')
  const { id: programId, currency } = program
  const terms = await termsAt(db, { programId, partnerId: null, at: clock() })
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
  also: (tx: Tx, user: User) => Promise<void>
}

/** For an address that already has an account: applies only if the password is correct. */
const applyWithAccount = async (
  dependencies: Dependencies & { db: Database },
  { programId, account, also }: Reapplication,
) => {
  const { db } = dependencies
  const user = await findByPassword(dependencies, account)
  if (!user) return
  try {
    await inTransaction(db, (tx) => also(tx, user))
  } catch (error) {
    // Already a partner, possibly through a concurrent call: nothing left to do.
    if (!(await partnerOfUser(db, { userId: user.id, programId }))) throw error
  }
}

const confirm = ({ db, clock }: { db: Database; clock: Clock }, token: string) =>
  inTransaction(db, async (tx) => {
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
  })
