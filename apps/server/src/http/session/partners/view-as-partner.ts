import { endView, startView } from '../../../accounts/partner-views.ts'
import { roleIn } from '../../../accounts/workspaces.ts'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { requireProgram } from '../require-session.ts'
import { partnerIdInPath } from './partners.ts'

/** Owners open the portal as a partner, read-only: http/portal/partner-view.ts applies the view. */
export const viewAsPartner = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const path = '/api/programs/:programId/partners/:partnerId/view'
  const asMember = requireProgram(dependencies, 'program:read')

  const readOwnerView = async (c: Call) => {
    const { id: programId, workspaceId } = c.get('program')
    if ((await roleIn(db, { userId: c.get('user').id, workspaceId })) !== 'owner')
      throw new Refusal('forbidden', 'Only owners can view the portal as a partner. Ask an owner of the workspace.')
    return { programId, partnerId: await partnerIdInPath(c, c.get('db')), sessionId: c.get('sessionId') }
  }

  app.post(path, asMember, async (c) => {
    const view = await readOwnerView(c)
    const { programId, partnerId } = view
    const endsAt = await inTransaction(c.get('db'), async (tx) => {
      const at = clock()
      const entry = { action: 'portal viewed as partner', subject: `partner ${partnerId}` }
      await recordAudit(tx, { programId, userId: c.get('user').id, ...entry, at })
      return startView(tx, { ...view, at })
    })
    return c.json({ data: { programId, partnerId, endsAt } }, 201)
  })

  app.delete(path, asMember, async (c) => {
    await endView(db, await readOwnerView(c))
    return c.json({ data: { ended: true } })
  })
}
