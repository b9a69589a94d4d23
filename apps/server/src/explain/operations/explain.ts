import { EXPLANATIONS } from '@tributary/contract/declared'
import { runs } from '../../platform/runs.ts'
import { findUnreportedEvent } from '../../processor/find-unreported-event.ts'
import { Refusal } from '../../refusal.ts'
import { explainLead, explainSale } from '../../tracking/explain/explain.ts'
import { explainClick, explainCustomer, explainInvoice } from '../../tracking/explain/explain-why-not.ts'
import { findLead, findSale } from '../subjects.ts'

/** Explains why something was or was not credited. */
export const explanations = runs(
  EXPLANATIONS,
  { saleId: { what: 'sale', find: findSale }, leadId: { what: 'lead', find: findLead } },
  {
    sale: ({ db, clock, program, query, sale }) =>
      explainSale({ db, clock }, { viewer: { ...query, programId: program.id }, sale }),

    lead: ({ db, clock, program, query, lead }) =>
      explainLead({ db, clock }, { viewer: { ...query, programId: program.id }, lead }),

    identifier: async ({ db, clock, program, query }) => {
      const { invoice_id: invoiceId, customer_key: customerKey, click_id: clickId, ...reader } = query
      const viewer = { ...reader, programId: program.id }
      if ([invoiceId, customerKey, clickId].filter((value) => value !== undefined).length !== 1)
        throw new Refusal('invalid_request', 'Send exactly one of invoice_id, customer_key and click_id.')
      if (customerKey !== undefined) return explainCustomer({ db, clock }, { viewer, customerKey })
      if (clickId !== undefined) return explainClick({ db, clock }, { viewer, clickId, program })
      const unreported = { findUnreportedEvent: (names: string[]) => findUnreportedEvent(db, { program, names }) }
      return explainInvoice({ db, clock, ...unreported }, { viewer, invoiceId: invoiceId ?? '' })
    },
  },
)
