import type { Tx } from '../database/transaction.ts'
import type { Program } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { codeFrom } from './partner-codes.ts'
import { addPartnerUser, alreadyPartner, isPartnerUser } from './partner-users.ts'
import { createPartner } from './partners.ts'

/** A program that takes no applications looks like none at all: nobody can list programs from outside. */
export const refuseClosed = (program: Program) => {
  if (!program.applicationsOpen)
    throw new Refusal('program_not_found', 'There is no program here that takes applications.')
}

export const isTakenEmail = (error: unknown) =>
  error instanceof Refusal && error.code === 'conflict' && error.field === 'email'

/** An applicant does not learn whose address it is in the program. */
const nobodyNamed = () =>
  new Refusal(
    'conflict',
    'You cannot apply to this program with this e-mail address. Ask the program for an invitation.',
    { field: 'email' },
  )

type Application = { programId: number; user: { id: string; name: string; email: string }; at: Date }

/** A new partner, who waits for the merchant. A record that the merchant made is never taken over: an address proves nothing. */
export const applyAs = async (tx: Tx, { programId, user, at }: Application) => {
  const { name, email } = user
  // Always with random letters: a name that is taken would undo the whole transaction.
  const code = codeFrom(name, 2)
  const applicant = { programId, name, email, code, status: 'pending' as const, createdAt: at }
  const partner = await createPartner(tx, applicant).catch(async (error: unknown) => {
    if (!isTakenEmail(error)) throw error
    throw (await isPartnerUser(tx, { programId, userId: user.id })) ? alreadyPartner() : nobodyNamed()
  })
  await addPartnerUser(tx, { programId, partnerId: partner.id, userId: user.id, createdAt: at })
  return partner
}
