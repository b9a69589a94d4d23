import { partnerLegalDetailsRequest } from '@tributary/contract'
import { changedFields, recordAudit } from '../../audit/audit-log.ts'
import { inTransaction } from '../../database/transaction.ts'
import { findStatement } from '../../money/payouts/find-statement.ts'
import { findLegalDetails, setLegalDetails } from '../../partners/legal-details.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { orNotFound, pathId } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { requirePartner } from './require-partner.ts'

/** A partner's legal details and the statements that show them. */
export const portalLegalDetails = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const asPartner = requirePartner(dependencies)
  const partnerKey = (c: Call) => ({ programId: c.get('program').id, partnerId: c.get('partner').partnerId })
  const path = '/api/portal/programs/:programId/legal-details'

  app.get(path, asPartner, async (c) => c.json({ data: await findLegalDetails(c.get('db'), partnerKey(c)) }))

  app.put(path, asPartner, async (c) => {
    const details = check(partnerLegalDetailsRequest, await readJson(c))
    const key = partnerKey(c)
    const at = clock()
    const after = await inTransaction(c.get('db'), async (tx) => {
      const before = await findLegalDetails(tx, key)
      const changes = changedFields({ ...before }, details)
      if (before && !changes) return before
      const entry = { action: 'partner legal details changed', subject: `partner ${key.partnerId}`, ...changes, at }
      const by = { programId: key.programId, userId: c.get('user').id, byPartnerId: key.partnerId }
      await recordAudit(tx, { ...by, ...entry })
      return setLegalDetails(tx, { ...key, ...details, at })
    })
    return c.json({ data: after })
  })

  app.get('/api/portal/programs/:programId/payouts/:lineId/statement', asPartner, async (c) => {
    const lineId = orNotFound(pathId(c, 'lineId'), 'statement')
    return c.json({ data: orNotFound(await findStatement(c.get('db'), { ...partnerKey(c), lineId }), 'statement') })
  })
}
