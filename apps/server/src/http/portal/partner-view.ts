import { findView } from '../../accounts/partner-views.ts'
import { roleIn } from '../../accounts/workspaces.ts'
import { findPartner, partnerOfUser } from '../../partners/partner-users.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'

const READS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Applies an owner's view of a partner to every portal call of their session, before any route: all calls see that partner only, and
 * none can change anything. The owner's role is read each time, so losing it ends the view.
 */
export const applyPartnerView = (app: App, dependencies: Dependencies) =>
  app.use('/api/portal/*', async (c, next) => {
    const view = await findActiveView(c, dependencies)
    if (view && !READS.includes(c.req.method))
      throw new Refusal(
        'read_only_view',
        'You are viewing the portal as a partner, which is read-only. Exit the view to make changes.',
      )
    c.set('view', view)
    await next()
  })

const findActiveView = async (c: Call, { db, clock }: Dependencies) => {
  const view = await findView(db, { sessionId: c.get('sessionId'), at: clock() })
  if (!view) return null
  const program = await findProgram(db, view.programId)
  if (!program) return null
  const role = await roleIn(db, { userId: c.get('user').id, workspaceId: program.workspaceId })
  const partner = role === 'owner' ? await findPartner(db, view) : undefined
  return partner ? { partner, endsAt: view.endsAt } : null
}

/** Who the caller is in a program: the viewed partner, or the one they sign in as. */
export const partnerOfCaller = async (c: Call, { db }: Dependencies, programId: number) => {
  const view = c.get('view')
  if (view) return view.partner.programId === programId ? view.partner : undefined
  return partnerOfUser(db, { userId: c.get('user').id, programId })
}
