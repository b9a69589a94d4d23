import { csvFormat } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
import { balanceRow, balancesQuery, ledgerLine, ledgerQuery } from './money.ts'

/** Partners' balances and ledger entries. */
export const BALANCES = operations({
  list: {
    method: 'get',
    path: '/api/programs/{programId}/balances',
    permission: 'commission:read',
    summary: 'List balances',
    description: 'Lists what each partner has held, payable, in open payouts and paid, per currency.',
    query: balancesQuery.extend(csvFormat),
    list: balanceRow,
    file: true,
  },
  ledger: {
    method: 'get',
    path: '/api/programs/{programId}/partners/{partnerId}/ledger',
    permission: 'commission:read',
    summary: 'List ledger entries',
    description: "Lists every movement of a partner's money. The ledger is append-only, and balances are its sums.",
    query: ledgerQuery.extend(csvFormat),
    list: ledgerLine,
    file: true,
  },
})
