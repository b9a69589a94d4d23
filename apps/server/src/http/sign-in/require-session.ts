import { createMiddleware } from 'hono/factory'
import { asRefusal } from '../../accounts/as-refusal.ts'
import type { SignedInUser } from '../../platform/actor.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies, Env } from '../context.ts'

/** Requires a session, for routes of the sign-in library. */
export const requireSession = (dependencies: Dependencies) =>
  createMiddleware<Env>(async (c, next) => {
    c.set('user', (await findSession(c, dependencies)).user)
    await next()
  })

/** The signed-in user, or a refusal. A program API key is not accepted. */
export const findSession = async (
  c: Call,
  { auth, limits }: Pick<Dependencies, 'auth' | 'limits'>,
): Promise<{ id: string; user: SignedInUser }> => {
  const found = await asRefusal(auth.api.getSession({ headers: c.req.raw.headers }))
  if (!found) limits.visitor(c.get('clientIp'))
  else limits.user(found.user.id)
  if (!found) throw new Refusal('unauthenticated', 'Sign in to the dashboard first. API keys are not accepted here.')
  const { id, email, name, twoFactorEnabled } = found.user
  const hasSecondFactor = Boolean(twoFactorEnabled && found.session.secondFactorAt)
  return { id: found.session.id, user: { id, email, name, hasSecondFactor } }
}
