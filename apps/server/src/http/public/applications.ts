import { applyRequest } from '@tributary/contract'
import { findByPassword } from '../../accounts/find-by-password.ts'
import { nullIfEmailTaken, type SignUp } from '../../accounts/sign-ups.ts'
import { note } from '../../audit/audit-log.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { applyAs, isEmailTaken, refuseClosed } from '../../partners/apply.ts'
import { partnerOfUser } from '../../partners/partner-users.ts'
import { applicationOf } from '../answers/partner-entries.ts'
import type { App, Dependencies, User } from '../context.ts'
import { programIn } from '../program-in.ts'
import { check, readJson } from '../read-json.ts'
import { asRefusal } from '../session/people/as-refusal.ts'

/** How a partner without an account applies to a program, even while sign-up is closed. */
export const applications = (app: App, dependencies: Dependencies) => {
  const { db, signUp, limits, clock } = dependencies

  const apply = async (tx: Tx, programId: number, user: User) => {
    const at = clock()
    const partner = await applyAs(tx, { programId, user, at })
    await note(tx, { programId, userId: user.id, byPartnerId: partner.id, ...applicationOf(partner), at })
  }

  /** For an address that has an account. Whoever knows its password is its owner and has applied; anybody else has not. */
  const applyWithAccount = async (programId: number, account: { email: string; password: string }) => {
    const user = await findByPassword(dependencies, account)
    if (!user) return
    try {
      await inTransaction(db, (tx) => apply(tx, programId, user))
    } catch (error) {
      // Who is a partner already, or was made one just now, has what they ask for.
      if (!(await partnerOfUser(db, { userId: user.id, programId }))) throw error
    }
  }

  app.get('/api/public/programs/:programId/application', async (c) => {
    limits.visitor(c.get('clientIp'))
    const program = await programIn(c, dependencies)
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

  // The same answer after the same work, one password hashed: nobody learns here who has an account.
  app.post('/api/public/programs/:programId/apply', async (c) => {
    limits.signIn(c.get('clientIp'))
    const program = await programIn(c, dependencies)
    refuseClosed(program)
    const account = check(applyRequest, await readJson(c))
    const { id: programId } = program
    const also: SignUp['also'] = (tx, user) => apply(tx, programId, user)
    try {
      const isNew = await asRefusal(nullIfEmailTaken(signUp({ account, asPartner: true, also })))
      if (!isNew) await applyWithAccount(programId, account)
    } catch (error) {
      // The address of a partner makes no second one, and a stranger does not learn whose it is.
      if (!isEmailTaken(error)) throw error
    }
    return c.json({ data: { received: true } })
  })
}
