import { toDecimal } from '@tributary/contract'
import { BALANCES } from '@tributary/contract/declared'
import { findPartner } from '../../partners/partner-users.ts'
import { type Cell, chunks, keysetPages, ROWS, WHOLE_LIST } from '../../platform/csv-pages.ts'
import { csvFile } from '../../platform/files.ts'
import { runs } from '../../platform/runs.ts'
import { movementCells } from '../ledger/ledger-file.ts'
import { listBalances } from '../ledger/list-balances.ts'
import { listLedger, nextLedgerLines } from '../ledger/list-ledger.ts'

/** Partners' balances and ledger entries. */
export const balances = runs(
  BALANCES,
  { partnerId: { what: 'partner', find: findPartner } },
  {
    list: async ({ db, program, clock, query: { format, ...query } }) => {
      const filter = { programId: program.id, at: clock(), ...query }
      if (format !== 'csv') return listBalances(db, filter)
      const { rows } = await listBalances(db, { ...filter, ...WHOLE_LIST })
      return csvFile({ name: 'balances', columns: BALANCE_COLUMNS, rows: chunks(rows, balanceCells) })
    },

    ledger: async ({ db, program, params: { partnerId }, query: { format, sort, ...page } }) => {
      const filter = { programId: program.id, partnerId, sort }
      if (format !== 'csv') return listLedger(db, { ...filter, ...page })
      const rows = keysetPages((lastId) => nextLedgerLines(db, { ...filter, lastId, limit: ROWS }), movementCells)
      return csvFile({ name: `ledger-of-partner-${partnerId}`, columns: LEDGER_COLUMNS, rows })
    },
  },
)

const BALANCE_COLUMNS = ['partner_id', 'currency', 'held', 'payable', 'in_payout', 'paid', 'in_review', 'disputed']
const LEDGER_COLUMNS = [
  ...['id', 'created_at', 'from', 'to', 'amount', 'currency', 'available_at'],
  ...['cause', 'commission_id'],
]

type Balance = Awaited<ReturnType<typeof listBalances>>['rows'][number]

const balanceCells = ({ partnerId, currency, ...row }: Balance): Cell[] => [
  partnerId,
  currency,
  ...[row.heldCents, row.payableCents, row.batchedCents, row.paidCents, row.reviewCents, row.disputedCents].map(
    (cents) => toDecimal(cents, currency),
  ),
]
