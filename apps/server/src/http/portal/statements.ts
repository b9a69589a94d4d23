import { type PortalExportQuery, toDecimal } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import { nextCommissions } from '../../money/commissions/list-commissions.ts'
import { movementCells } from '../../money/ledger/ledger-file.ts'
import { nextLedgerLines } from '../../money/ledger/list-ledger.ts'
import { listPartnerPayouts } from '../../money/payouts/list-partner-payouts.ts'
import type { Cell } from '../csv.ts'
import { safeEarnings } from './earnings.ts'

const ROWS = 500

type PartnerAt = { db: Database; programId: number; partnerId: number; at: Date; filter: PortalExportQuery }
type Statement = { columns: string[]; rows: (partner: PartnerAt) => AsyncGenerator<Cell[][]> }

async function* earnings({ db, programId, partnerId, at, filter }: PartnerAt): AsyncGenerator<Cell[][]> {
  let beforeId: number | undefined
  for (;;) {
    const rows = await nextCommissions(db, { ...filter, programId, partnerId, at, beforeId, limit: ROWS })
    yield (await safeEarnings(db, programId, rows)).map((row) => [
      row.id,
      row.kind,
      toDecimal(row.amountCents, row.currency),
      toDecimal(row.reversedCents, row.currency),
      row.currency,
      row.state,
      row.earnedAt,
      row.payableAt,
      row.because.join(' '),
      row.inPayout,
      toDecimal(row.disputedCents, row.currency),
      toDecimal(row.paidCents, row.currency),
    ])
    if (rows.length < ROWS) return
    beforeId = rows.at(-1)?.id
  }
}

async function* payouts({ db, programId, partnerId }: PartnerAt): AsyncGenerator<Cell[][]> {
  for (let page = 1; ; page++) {
    const { rows } = await listPartnerPayouts(db, { programId, partnerId, sort: '-createdAt', page, pageSize: ROWS })
    yield rows.map((row) => [
      row.payoutId,
      row.createdAt,
      toDecimal(row.amountCents, row.currency),
      row.currency,
      row.status,
      row.decidedAt,
      row.emptied,
      row.reference,
      row.paidAt,
    ])
    if (rows.length < ROWS) return
  }
}

/** Every ledger entry of the partner, in order. */
async function* statement({ db, programId, partnerId }: PartnerAt): AsyncGenerator<Cell[][]> {
  let lastId: number | undefined
  for (;;) {
    const rows = await nextLedgerLines(db, { programId, partnerId, lastId, limit: ROWS })
    yield rows.map(movementCells)
    if (rows.length < ROWS) return
    lastId = rows.at(-1)?.id
  }
}

export const STATEMENTS: Record<string, Statement> = {
  earnings: {
    columns: [
      ...['id', 'kind', 'amount', 'taken_back', 'currency', 'state', 'earned_at', 'held_until', 'because'],
      ...['in_payout', 'in_dispute', 'paid'],
    ],
    rows: earnings,
  },
  payouts: {
    columns: [
      'payout_id',
      'created_at',
      'amount',
      'currency',
      'status',
      'decided_at',
      'emptied',
      'reference',
      'paid_at',
    ],
    rows: payouts,
  },
  statement: {
    columns: ['id', 'at', 'from', 'to', 'amount', 'currency', 'available_at', 'cause', 'earning_id'],
    rows: statement,
  },
}
