import { createMiddleware } from 'hono/factory'
import { partnerOfUser } from '../../partners/partner-users.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies, Env } from '../context.ts'
import { numberIn } from '../session/lists.ts'

/** The program that the path names. */
export const programIn = async (c: Call, { db }: Dependencies) => {
  const id = numberIn(c, 'programId')
  const program = id === null ? undefined : await findProgram(db, id)
  if (!program) throw new Refusal('program_not_found', 'There is no program with this ID.')
  return program
}

/** Signed in, and a partner of the program. Being a member of its workspace makes nobody a partner. */
export const requirePartner = (dependencies: Dependencies) =>
  createMiddleware<Env>(async (c, next) => {
    const program = await programIn(c, dependencies)
    const partner = await partnerOfUser(dependencies.db, { userId: c.get('user').id, programId: program.id })
    if (!partner) throw new Refusal('forbidden', 'You are not a partner of this program.')
    c.set('program', program)
    c.set('partner', partner)
    await next()
  })
