import { EXPLANATIONS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { hasPermission } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import { runs } from '../../platform/runs.ts'
import { findUnreportedEvent } from '../../processor/find-unreported-event.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { explainLead, explainSale } from '../../tracking/explain/explain.ts'
import { explainClick, explainCustomer, explainInvoice } from '../../tracking/explain/explain-why-not.ts'
import { findLead, findSale } from '../subjects.ts'

/** Explains why something was or was not credited. */
export const explanations = runs(
  EXPLANATIONS,
  { saleId: { what: 'sale', find: findSale }, leadId: { what: 'lead', find: findLead } },
  {
    sale: async ({ sale, ...call }) => explainSale(call, { viewer: await viewerOf(call, call.query), sale }),

    lead: async ({ lead, ...call }) => explainLead(call, { viewer: await viewerOf(call, call.query), lead }),

    identifier: async ({ db, clock, program, actor, query }) => {
      const { invoice_id: invoiceId, customer_key: customerKey, click_id: clickId, ...reader } = query
      const viewer = await viewerOf({ db, program, actor }, reader)
      if ([invoiceId, customerKey, clickId].filter((value) => value !== undefined).length !== 1)
        throw new Refusal('invalid_request', 'Send exactly one of invoice_id, customer_key and click_id.')
      if (customerKey !== undefined) return explainCustomer({ db, clock }, { viewer, customerKey })
      if (clickId !== undefined) return explainClick({ db, clock }, { viewer, clickId, program })
      const unreported = { findUnreportedEvent: (names: string[]) => findUnreportedEvent(db, { program, names }) }
      return explainInvoice({ db, clock, ...unreported }, { viewer, invoiceId: invoiceId ?? '' })
    },
  },
)

type Call = { db: Database; program: Program; actor: Member }

const viewerOf = async <Reader extends object>({ db, program, actor }: Call, reader: Reader) => {
  const { id: programId, workspaceId } = program
  const seesPayoutDetails = await hasPermission(db, { user: actor, workspaceId, permission: 'payout:manage' })
  return { ...reader, programId, seesPayoutDetails }
}
