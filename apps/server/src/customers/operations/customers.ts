import { CUSTOMERS } from '@tributary/contract/declared'
import { withNames, withNamesForOne } from '../../partners/partner-names.ts'
import { runs } from '../../platform/runs.ts'
import { showTimeline } from '../../tracking/sales/show-sales.ts'
import { findCustomer, listCustomers } from '../list-customers.ts'
import { searchTerm } from '../search-term.ts'

export const customers = ({ hashKey }: { hashKey: string }) =>
  runs(
    CUSTOMERS,
    { customerId: { what: 'customer', find: findCustomer } },
    {
      list: async ({ db, program: { id: programId }, query }) => {
        const filter = { programId, ...query, search: searchTerm(hashKey, query.search) }
        const { rows, total } = await listCustomers(db, filter)
        return { rows: await withNames(db, programId, rows), total }
      },

      get: async ({ db, program: { id: programId }, customer }) => {
        const timeline = (await showTimeline(db, { programId, clickId: customer.id })) ?? []
        return {
          ...(await withNamesForOne(db, programId, customer)),
          timeline: await withNames(db, programId, timeline),
        }
      },
    },
  )
