import { EXPORT_FILES, type ExportFile } from '@tributary/contract'
import { EXPORTS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import type { Reports } from '../../database/reports.ts'
import { ledger } from '../../money/ledger/ledger-file.ts'
import { commissions } from '../../money/operations/commission-file.ts'
import { payouts } from '../../money/operations/payout-file.ts'
import { requirePermission } from '../../platform/access.ts'
import type { File } from '../../platform/csv-pages.ts'
import { csvFile } from '../../platform/files.ts'
import { runs } from '../../platform/runs.ts'
import { events } from './export/events.ts'
import { codes, customers, links, partners } from './export/lists.ts'
import { sales } from './export/sales.ts'

const FILES: Record<ExportFile, File> = {
  events,
  customers,
  sales,
  commissions,
  ledger,
  partners,
  links,
  codes,
  payouts,
}

const findFile = async (_: Database, { id }: { id: string }) => EXPORT_FILES.find((name) => `${name}.csv` === id)

/** Streams a whole table as CSV. */
export const exports = ({ reports }: { reports: Reports }) =>
  runs(
    EXPORTS,
    { file: { what: 'file', find: findFile } },
    {
      get: {
        allow: ({ db, actor, program: { workspaceId }, file }) =>
          requirePermission(db, { user: actor, workspaceId, permission: FILES[file].permission }),
        run: async ({ db, program, query, file: name }) => {
          const source = await reports(db)
          const { columns, rows } = FILES[name]
          const headers = { 'x-data-as-of': source.at.toISOString() }
          return csvFile({ name, columns, rows: rows({ ...source, program, query }), headers })
        },
      },
    },
  )
