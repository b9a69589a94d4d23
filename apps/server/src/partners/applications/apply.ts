import type { Tx } from '../../database/transaction.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { addPartnerUser, alreadyPartner, isPartnerUser } from '../partner-users.ts'
import { createPartner, generateCode } from '../partners.ts'

/** A closed program looks like a missing one, so that programs cannot be enumerated. */
export const refuseClosed = (program: Program) => {
  if (!program.applicationsOpen)
    throw new Refusal('program_not_found', 'No program at this address accepts applications.')
}

export const isEmailTaken = (error: unknown) =>
  error instanceof Refusal && error.code === 'conflict' && error.field === 'email'

/** Does not reveal which partner has the address. */
const cannotApply = () =>
  new Refusal(
    'conflict',
    'You cannot apply to this program with this email address. Ask the business that runs it for an invitation.',
    { field: 'email' },
  )

type Application = { programId: number; user: { id: string; name: string; email: string }; at: Date }

/** Creates a pending partner. An existing record is never taken over, because an address alone proves nothing. */
export const applyAs = async (tx: Tx, { programId, user, at }: Application) => {
  const { name, email } = user
  // Attempt 2 adds a random suffix: a taken code would fail the whole transaction.
  const code = generateCode(name, 2)
  const applicant = { programId, name, email, code, status: 'pending' as const, createdAt: at }
  const partner = await createPartner(tx, applicant).catch(async (error: unknown) => {
    if (!isEmailTaken(error)) throw error
    throw (await isPartnerUser(tx, { programId, userId: user.id })) ? alreadyPartner() : cannotApply()
  })
  await addPartnerUser(tx, { programId, partnerId: partner.id, userId: user.id, createdAt: at })
  return partner
}
