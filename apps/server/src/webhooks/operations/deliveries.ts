import { WEBHOOK_DELIVERIES } from '@tributary/contract/declared'
import { readDateRange } from '../../events/overview/days.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { findDelivery, findDeliveryDetail, listDeliveries, resendDelivery, resendFailed } from '../deliveries.ts'
import { findEndpoint } from '../endpoints.ts'

/** Deliveries to a program's endpoints, and resending them. */
export const webhookDeliveries = runs(
  WEBHOOK_DELIVERIES,
  { deliveryId: { what: 'delivery', find: findDeliveryDetail } },
  {
    list: ({ db, program, query }) => listDeliveries(db, { programId: program.id, ...query }),

    get: async ({ delivery }) => delivery,

    resend: async ({ tx, program, delivery: { id, endpointId, body }, clock, audit }) => {
      const at = clock()
      const endpoint = await findEndpoint(tx, { programId: program.id, id: endpointId, at })
      if (!endpoint?.enabled) throw disabledEndpoint()
      if (body === null) throw new Refusal('conflict', 'This event has expired and can no longer be sent.')
      await resendDelivery(tx, { programId: program.id, id, at })
      await audit(tx, { action: 'webhook resent', subject: `webhook delivery ${id}`, at })
      return orNotFound(await findDelivery(tx, { programId: program.id, id }), 'delivery')
    },

    resendFailed: async ({ tx, program: { id: programId, timezone }, clock, audit, body: { endpointId, since } }) => {
      const at = clock()
      if (endpointId !== undefined) {
        const endpoint = orNotFound(await findEndpoint(tx, { programId, id: endpointId, at }), 'webhook endpoint')
        if (!endpoint.enabled) throw disabledEndpoint()
      }
      const { from } = await readDateRange(tx, timezone, { dateFrom: since })
      const result = await resendFailed(tx, { programId, endpointId, since: from ?? at, at })
      const subject = endpointId === undefined ? 'webhook deliveries' : `webhook endpoint ${endpointId}`
      const after = { since, resent: result.resent }
      if (result.resent > 0) await audit(tx, { action: 'failed webhooks resent', subject, after, at })
      return result
    },
  },
)

const disabledEndpoint = () =>
  new Refusal('conflict', 'The endpoint of this delivery is disabled or deleted. Enable it, then resend.')
