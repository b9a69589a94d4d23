import { customersQuery, salesQuery } from '@tributary/contract'
import { findCustomer, listCustomers } from '../../customers/list-customers.ts'
import { searchTerm } from '../../customers/search-term.ts'
import { readDateRange } from '../../events/overview/days.ts'
import { findCommissionRow } from '../../money/commissions/list-commissions.ts'
import { withNames, withNamesForOne } from '../../partners/partner-names.ts'
import { showSale, showSales, showTimeline } from '../../tracking/sales/show-sales.ts'
import type { App, Dependencies } from '../context.ts'
import { answerList, orNotFound, pathId } from '../lists.ts'
import { check } from '../read-json.ts'
import { requireProgram } from './require-session.ts'

/** Customers and sales. */
export const customers = (app: App, dependencies: Dependencies) => {
  const { clock, hashKey } = dependencies
  const term = (text: string | undefined) => searchTerm(hashKey, text)
  const mayList = requireProgram(dependencies, 'tracking:list')

  app.get('/api/programs/:programId/customers', mayList, async (c) => {
    const db = c.get('db')
    const query = check(customersQuery, c.req.query())
    const programId = c.get('program').id
    const { rows, total } = await listCustomers(db, { programId, ...query, search: term(query.search) })
    return answerList(c, await withNames(db, programId, rows), { ...query, total })
  })

  app.get('/api/programs/:programId/customers/:customerId', mayList, async (c) => {
    const db = c.get('db')
    const key = { programId: c.get('program').id, clickId: c.req.param('customerId') }
    const customer = orNotFound(await findCustomer(db, key), 'customer')
    const named = await withNamesForOne(db, key.programId, customer)
    const timeline = await withNames(db, key.programId, (await showTimeline(db, key)) ?? [])
    return c.json({ data: { ...named, timeline } })
  })

  app.get('/api/programs/:programId/sales', mayList, async (c) => {
    const db = c.get('db')
    const { dateFrom, dateTo, ...query } = check(salesQuery, c.req.query())
    const program = c.get('program')
    const moments = await readDateRange(db, program.timezone, { dateFrom, dateTo })
    const { rows, total } = await showSales(db, {
      programId: program.id,
      ...query,
      ...moments,
      search: term(query.search),
    })
    return answerList(c, await withNames(db, program.id, rows), { ...query, total })
  })

  app.get('/api/programs/:programId/sales/:saleId', mayList, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const id = orNotFound(pathId(c, 'saleId'), 'sale')
    const sale = orNotFound(await showSale(db, { programId, id }), 'sale')
    const commissionId = sale.commissionId ?? 0
    const commission = await findCommissionRow(db, { programId, id: commissionId, at: clock() })
    const named = await withNamesForOne(db, programId, sale)
    return c.json({ data: { ...named, commissionState: commission?.state ?? null } })
  })
}
