import { resendWebhooksRequest, webhookDeliveriesQuery } from '@tributary/contract'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { readDateRange } from '../../../events/overview/days.ts'
import { Refusal } from '../../../refusal.ts'
import {
  findDelivery,
  findDeliveryDetail,
  listDeliveries,
  resendDelivery,
  resendFailed,
} from '../../../webhooks/deliveries.ts'
import { findEndpoint } from '../../../webhooks/endpoints.ts'
import type { App, Dependencies } from '../../context.ts'
import { answerList, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

/** Deliveries to a program's endpoints, and resending them. */
export const webhookDeliveries = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayManage = requireProgram(dependencies, 'key:manage')
  const path = '/api/programs/:programId/webhook-deliveries'

  app.get(path, mayManage, async (c) => {
    const query = check(webhookDeliveriesQuery, c.req.query())
    const { rows, total } = await listDeliveries(c.get('db'), { programId: c.get('program').id, ...query })
    return answerList(c, rows, { ...query, total })
  })

  app.get(`${path}/:deliveryId`, mayManage, async (c) => {
    const key = { programId: c.get('program').id, id: pathId(c, 'deliveryId') ?? 0 }
    return c.json({ data: orNotFound(await findDeliveryDetail(c.get('db'), key), 'delivery') })
  })

  app.post(`${path}/resend`, mayManage, async (c) => {
    const db = c.get('db')
    const { endpointId, since } = check(resendWebhooksRequest, await readJson(c))
    const { id: programId, timezone } = c.get('program')
    const at = clock()
    if (endpointId !== undefined) {
      const endpoint = orNotFound(await findEndpoint(db, { programId, id: endpointId, at }), 'webhook endpoint')
      if (!endpoint.enabled) throw disabledEndpoint()
    }
    const { from } = await readDateRange(db, timezone, { dateFrom: since })
    const data = await inTransaction(db, async (tx) => {
      const result = await resendFailed(tx, { programId, endpointId, since: from ?? at, at })
      const subject = endpointId === undefined ? 'webhook deliveries' : `webhook endpoint ${endpointId}`
      const entry = { action: 'failed webhooks resent', subject, after: { since, resent: result.resent } }
      if (result.resent > 0) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry, at })
      return result
    })
    return c.json({ data })
  })

  app.post(`${path}/:deliveryId/resend`, mayManage, async (c) => {
    const db = c.get('db')
    const key = { programId: c.get('program').id, id: pathId(c, 'deliveryId') ?? 0 }
    const at = clock()
    const detail = orNotFound(await findDeliveryDetail(db, key), 'delivery')
    const endpoint = await findEndpoint(db, { programId: key.programId, id: detail.endpointId, at })
    if (!endpoint?.enabled) throw disabledEndpoint()
    if (detail.body === null) throw new Refusal('conflict', 'This event has expired and can no longer be sent.')
    const data = await inTransaction(db, async (tx) => {
      await resendDelivery(tx, { ...key, at })
      const entry = { action: 'webhook resent', subject: `webhook delivery ${key.id}`, at }
      await recordAudit(tx, { programId: key.programId, userId: c.get('user').id, ...entry })
      return orNotFound(await findDelivery(tx, key), 'delivery')
    })
    return c.json({ data })
  })
}

const disabledEndpoint = () =>
  new Refusal('conflict', 'The endpoint of this delivery is disabled or deleted. Enable it, then resend.')
