import { SALES } from '@tributary/contract/declared'
import { searchTerm } from '../../customers/search-term.ts'
import { readDateRange } from '../../events/overview/days.ts'
import { findCommissionRow } from '../../money/commissions/list-commissions.ts'
import { withNames, withNamesForOne } from '../../partners/partner-names.ts'
import { runs } from '../../platform/runs.ts'
import { showSale, showSales } from '../../tracking/sales/show-sales.ts'

export const sales = ({ hashKey }: { hashKey: string }) =>
  runs(
    SALES,
    { saleId: { what: 'sale', find: showSale } },
    {
      list: async ({ db, program: { id: programId, timezone }, query: { dateFrom, dateTo, search, ...query } }) => {
        const moments = await readDateRange(db, timezone, { dateFrom, dateTo })
        const filter = { programId, ...query, ...moments, search: searchTerm(hashKey, search) }
        const { rows, total } = await showSales(db, filter)
        return { rows: await withNames(db, programId, rows), total }
      },

      get: async ({ db, program: { id: programId }, clock, sale }) => {
        const commission = await findCommissionRow(db, { programId, id: sale.commissionId ?? 0, at: clock() })
        return { ...(await withNamesForOne(db, programId, sale)), commissionState: commission?.state ?? null }
      },
    },
  )
