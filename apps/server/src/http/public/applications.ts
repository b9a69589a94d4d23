import { applyRequest, partnerSignUpRequest } from '@tributary/contract'
import { findByPassword } from '../../accounts/find-by-password.ts'
import { orKnownAddress, type SignUp } from '../../accounts/sign-ups.ts'
import { note } from '../../audit/audit-log.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { signInAdded } from '../../mail/letters.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { applyAs, isTakenEmail, refuseClosed } from '../../partners/apply.ts'
import { findPartnerInvitation } from '../../partners/partner-invitations.ts'
import { partnerOfUser } from '../../partners/partner-users.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies, User } from '../context.ts'
import { acceptAsPartner, notifyPartner, releaseClaimed } from '../partner-access.ts'
import { applicationOf } from '../partner-entries.ts'
import { programIn } from '../program-in.ts'
import { check, readJson } from '../read-json.ts'
import { asRefusal } from '../session/as-refusal.ts'
import { withCookies } from '../session/sign-up.ts'

/** Ways in for partners who have no account yet, although sign-up is closed. */
export const applications = (app: App, dependencies: Dependencies) => {
  const { db, signUp, limits, clock, mailer } = dependencies

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
      const isNew = await asRefusal(orKnownAddress(signUp({ account, asPartner: true, also })))
      if (!isNew) await applyWithAccount(programId, account)
    } catch (error) {
      // The address of a partner makes no second one, and a stranger does not learn whose it is.
      if (!isTakenEmail(error)) throw error
    }
    return c.json({ data: { received: true } })
  })

  const open = async (id: string) => {
    const invitation = await findPartnerInvitation(db, { id, at: clock() })
    if (!invitation)
      throw new Refusal('not_found', 'This invitation does not exist, was used, or has expired. Ask for a new one.')
    return invitation
  }

  app.get('/api/public/partner-invitations/:invitationId', async (c) => {
    limits.visitor(c.get('clientIp'))
    const { programName, partnerName, email, expiresAt } = await open(c.req.param('invitationId'))
    return c.json({ data: { programName, partnerName, email, expiresAt } })
  })

  // The holder of the link is whom the merchant meant, so they may know that the address has an account.
  app.post('/api/public/partner-invitations/:invitationId/sign-up', async (c) => {
    limits.signIn(c.get('clientIp'))
    const id = c.req.param('invitationId')
    const { programId, partnerId, programName, workspaceId, email, onlyMailed } = await open(id)
    const account = { ...check(partnerSignUpRequest, await readJson(c)), email }
    let addresses: string[] = []
    const also: SignUp['also'] = async (tx, { id: userId }) => {
      addresses = await acceptAsPartner(tx, { id, programId, partnerId, userId, email, at: clock() })
    }
    const release = releaseClaimed(dependencies, { workspaceId, onlyMailed })
    const { response, headers } = await asRefusal(
      signUp({ account, asPartner: true, also, release, isVerified: onlyMailed }),
    )
    await notifyPartner(mailer, addresses, () => signInAdded({ programName, email }))
    const { id: userId, name, createdAt } = response.user
    return withCookies(c, headers).json({ user: { id: userId, name, email, createdAt } })
  })
}
