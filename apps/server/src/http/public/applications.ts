import { applyRequest, partnerSignUpRequest } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { rewardAnswer } from '../../money/change-reward.ts'
import { termsAt } from '../../money/reward-terms.ts'
import { codeFrom } from '../../partners/partner-codes.ts'
import { findPartnerInvitation, useUpPartnerInvitation } from '../../partners/partner-invitations.ts'
import { addPartnerUser } from '../../partners/partner-users.ts'
import { createPartner } from '../../partners/partners.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { programIn } from '../portal/require-partner.ts'
import { check, readJson } from '../read-json.ts'
import { asRefusal } from '../session/accounts.ts'

/** A program that takes no applications looks like none at all: nobody can list programs from outside. */
export const refuseClosed = (program: Program) => {
  if (!program.applicationsOpen)
    throw new Refusal('program_not_found', 'There is no program here that takes applications.')
}

type Applicant = { program: Program; user: { id: string; name: string; email: string }; at: Date }

/** A new partner, who waits for the merchant. A record that the merchant made is never taken over: an address proves nothing. */
export const applyAs = (db: Database, { program, user, at }: Applicant) =>
  inTransaction(db, async (tx) => {
    const { name, email } = user
    // Always with random letters: a name that is taken would undo the whole transaction.
    const code = codeFrom(name, 2)
    const partner = { programId: program.id, name, email, code, status: 'pending' as const, createdAt: at }
    const { id: partnerId } = await createPartner(tx, partner)
    await addPartnerUser(tx, { programId: program.id, partnerId, userId: user.id, createdAt: at })
  })

/** Ways in for partners who have no account yet, although sign-up is closed. */
export const applications = (app: App, dependencies: Dependencies) => {
  const { db, auth, admissions, limits, clock } = dependencies
  const signUp = (account: { name: string; email: string; password: string }) =>
    admissions.during(account.email, (invitationId) => {
      const body = { ...account, invitationId }
      return asRefusal(auth.api.signUpEmail({ body, returnHeaders: true }))
    })

  app.get('/api/public/programs/:programId/application', async (c) => {
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

  app.post('/api/public/programs/:programId/apply', async (c) => {
    limits.signIn(c.get('clientIp'))
    const program = await programIn(c, dependencies)
    refuseClosed(program)
    const account = check(applyRequest, await readJson(c))
    try {
      const { response } = await signUp(account)
      await applyAs(db, { program, user: response.user, at: clock() })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'conflict')) throw error
      // The same answer after the same work: nobody learns here who has an account.
      await (await auth.$context).password.hash(account.password)
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
    const { programName, partnerName, email, expiresAt } = await open(c.req.param('invitationId'))
    return c.json({ data: { programName, partnerName, email, expiresAt } })
  })

  // The holder of the link is whom the merchant meant, so they may know that the address has an account.
  app.post('/api/public/partner-invitations/:invitationId/sign-up', async (c) => {
    limits.signIn(c.get('clientIp'))
    const id = c.req.param('invitationId')
    const { programId, partnerId, email } = await open(id)
    const account = check(partnerSignUpRequest, await readJson(c))
    const { response, headers } = await signUp({ ...account, email })
    const at = clock()
    await inTransaction(db, async (tx) => {
      if (!(await useUpPartnerInvitation(tx, { id, at })))
        throw new Refusal('not_found', 'This invitation was used just now.')
      await addPartnerUser(tx, { programId, partnerId, userId: response.user.id, createdAt: at })
    })
    for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
    const { id: userId, name, createdAt } = response.user
    return c.json({ user: { id: userId, name, email, createdAt } })
  })
}
