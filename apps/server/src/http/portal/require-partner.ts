import { createMiddleware } from 'hono/factory'
import { partnerOfUser } from '../../partners/partner-users.ts'
import { Refusal } from '../../refusal.ts'
import type { Dependencies, Env } from '../context.ts'
import { programIn } from '../program-in.ts'

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
