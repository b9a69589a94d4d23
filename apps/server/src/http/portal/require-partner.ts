import { createMiddleware } from 'hono/factory'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies, Env } from '../context.ts'
import { programInPath } from '../program-in-path.ts'
import { partnerOfCaller } from './partner-view.ts'

export const notPartner = () =>
  new Refusal('forbidden', 'You are not a partner of this program. Apply to it, or ask the program for an invitation.')

/** Requires a partner of the program. Workspace membership alone does not qualify. */
export const requirePartner = (dependencies: Dependencies) =>
  createMiddleware<Env>(async (c, next) => {
    await findOwnPartner(c, dependencies)
    await next()
  })

/** Puts the program of the path and the caller's partner in it in the context, or refuses. */
export const findOwnPartner = async (c: Call, dependencies: Dependencies) => {
  const program = await programInPath(c, dependencies)
  const partner = await partnerOfCaller(c, dependencies, program.id)
  if (!partner) throw notPartner()
  c.set('program', program)
  c.set('partner', partner)
}
