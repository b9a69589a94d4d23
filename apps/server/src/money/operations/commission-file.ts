import { toDecimal } from '@tributary/contract'
import { withGroups } from '../../partners/partner-names.ts'
import { type Cell, type File, keysetPages, ROWS } from '../../platform/csv-pages.ts'
import { nextCommissions } from '../commissions/list-commissions.ts'

export const commissions: File = {
  permission: 'commission:read',
  columns: [
    'id',
    'kind',
    'partner_id',
    'sale_id',
    'lead_id',
    'amount',
    'reversed',
    'currency',
    'state',
    'earned_at',
    'payable_at',
    'terms_version',
    'in_payout',
    'in_dispute',
    'void_reason',
    'paid',
    'group',
  ],
  rows: ({ db, program, query, at }) =>
    keysetPages(async (beforeId) => {
      const { partnerId, groupId } = query
      const filter = { programId: program.id, partnerId, groupId, at, beforeId, limit: ROWS }
      return withGroups(db, program.id, await nextCommissions(db, filter))
    }, commissionCells),
}

type Row = Awaited<ReturnType<typeof nextCommissions>>[number] & { groupName: string }

export const commissionCells = (row: Row): Cell[] => [
  row.id,
  row.kind,
  row.partnerId,
  row.saleId,
  row.leadId,
  toDecimal(row.amountCents, row.currency),
  toDecimal(row.reversedCents, row.currency),
  row.currency,
  row.state,
  row.earnedAt,
  row.payableAt,
  row.termsVersion,
  row.inPayout,
  toDecimal(row.disputedCents, row.currency),
  row.voidReason,
  toDecimal(row.paidCents, row.currency),
  row.groupName,
]
