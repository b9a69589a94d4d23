import { applyRequest } from '@tributary/contract'
import { findByPassword } from '../../accounts/find-by-password.ts'
import { nullIfEmailTaken, type SignUp } from '../../accounts/sign-ups.ts'
import { note } from '../../audit/audit-log.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { applyAs, isEmailTaken, refuseClosed } from '../../partners/apply.ts'
import { partnerOfUser } from '../../partners/partner-users.ts'
import { applicationEntry } from '../answers/audit-entries.ts'
import type { App, Dependencies, User } from '../context.ts'
import { programInPath } from '../partner-access.ts'
import { check, readJson } from '../read-json.ts'
import { asRefusal } from '../session/people/as-refusal.ts'

/** Applications by partners without a session, even while sign-up is closed. */
export const applications = (app: App, dependencies: Dependencies) => {
  const { db, signUp, limits, clock } = dependencies

  const apply = async (tx: Tx, programId: number, user: User) => {
    const at = clock()
    const partner = await applyAs(tx, { programId, user, at })
    await note(tx, { programId, userId: user.id, byPartnerId: partner.id, ...applicationEntry(partner), at })
  }

  /** For an address that already has an account: applies only if the password is correct. */
  const applyWithAccount = async (programId: number, account: { email: string; password: string }) => {
    const user = await findByPassword(dependencies, account)
    if (!user) return
    try {
      await inTransaction(db, (tx) => apply(tx, programId, user))
    } catch (error) {
      // Already a partner, possibly through a concurrent call: nothing left to do.
      if (!(await partnerOfUser(db, { userId: user.id, programId }))) throw error
    }
  }

  app.get('/api/public/programs/:programId/application', async (c) => {
    limits.visitor(c.get('clientIp'))
    const program = await programInPath(c, dependencies)
    refuseClosed(program)
    const terms = await termsAt(db, { programId: program.id, partnerId: null, at: clock() })
    return c.json({
      data: {
        programId: program.id,
        programName: program.name,
        text: program.applicationText,
        reward: rewardAnswer(terms, { currency: program.currency, own: false }),
      },
    })
  })

  // Same response and same work (one password hash) in every case, so that callers cannot probe for accounts.
  app.post('/api/public/programs/:programId/apply', async (c) => {
    limits.signIn(c.get('clientIp'))
    const program = await programInPath(c, dependencies)
    refuseClosed(program)
    const account = check(applyRequest, await readJson(c))
    const { id: programId } = program
    const also: SignUp['also'] = (tx, user) => apply(tx, programId, user)
    try {
      const isNew = await asRefusal(nullIfEmailTaken(signUp({ account, asPartner: true, also })))
      if (!isNew) await applyWithAccount(programId, account)
    } catch (error) {
      // The address already belongs to a partner. The response must not reveal that.
      if (!isEmailTaken(error)) throw error
    }
    return c.json({ data: { received: true } })
  })
}
