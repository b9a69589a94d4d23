import { explainQuery, whyNotQuery } from '@tributary/contract'
import { findLead, findSale } from '../../explain/subjects.ts'
import { findUnreportedEvent } from '../../processor/find-unreported-event.ts'
import { Refusal } from '../../refusal.ts'
import { explainLead, explainSale } from '../../tracking/explain/explain.ts'
import { explainClick, explainCustomer, explainInvoice } from '../../tracking/explain/explain-why-not.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { orNotFound, pathId } from '../lists.ts'
import { check } from '../read-json.ts'
import { requireProgram } from './require-session.ts'

/** Explains why something was or was not credited. */
export const explain = (app: App, dependencies: Dependencies) => {
  const mayRead = requireProgram(dependencies, 'tracking:read')
  const readViewer = (c: Call) => ({ ...check(explainQuery, c.req.query()), programId: c.get('program').id })

  app.get('/api/programs/:programId/sales/:saleId/explain', mayRead, async (c) => {
    const viewer = readViewer(c)
    const id = orNotFound(pathId(c, 'saleId'), 'sale')
    const sale = orNotFound(await findSale(c.get('db'), { programId: viewer.programId, id }), 'sale')
    return c.json({ data: await explainSale({ ...dependencies, db: c.get('db') }, { viewer, sale }) })
  })

  app.get('/api/programs/:programId/leads/:leadId/explain', mayRead, async (c) => {
    const viewer = readViewer(c)
    const id = orNotFound(pathId(c, 'leadId'), 'lead')
    const lead = orNotFound(await findLead(c.get('db'), { programId: viewer.programId, id }), 'lead')
    return c.json({ data: await explainLead({ ...dependencies, db: c.get('db') }, { viewer, lead }) })
  })

  app.get('/api/programs/:programId/explain', mayRead, async (c) => {
    const viewer = readViewer(c)
    const { invoice_id, customer_key, click_id } = check(whyNotQuery, c.req.query())
    if ([invoice_id, customer_key, click_id].filter((value) => value !== undefined).length !== 1)
      throw new Refusal('invalid_request', 'Send exactly one of invoice_id, customer_key and click_id.')
    const program = c.get('program')
    if (invoice_id !== undefined) {
      const db = c.get('db')
      const unreported = { findUnreportedEvent: (names: string[]) => findUnreportedEvent(db, { program, names }) }
      return c.json({
        data: await explainInvoice({ ...dependencies, db, ...unreported }, { viewer, invoiceId: invoice_id }),
      })
    }
    if (customer_key !== undefined)
      return c.json({
        data: await explainCustomer({ ...dependencies, db: c.get('db') }, { viewer, customerKey: customer_key }),
      })
    return c.json({
      data: await explainClick({ ...dependencies, db: c.get('db') }, { viewer, clickId: click_id ?? '', program }),
    })
  })
}
