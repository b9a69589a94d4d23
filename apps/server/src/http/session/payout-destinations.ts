import { mayRole } from '../../accounts/roles.ts'
import { roleIn } from '../../accounts/workspaces.ts'
import type { Database } from '../../database/connect.ts'
import { payoutDetailsOf } from '../../partners/payout-details.ts'
import type { Call } from '../context.ts'

/** Where money goes is shown to who sends it. */
export const maySeeDestinations = async (c: Call, db: Database) => {
  const role = await roleIn(db, { userId: c.get('user').id, workspaceId: c.get('program').workspaceId })
  return role !== null && mayRole(role, 'payout:manage')
}

/** Rows of money with where their partner wants it: whoever sends it need not look up each of them. */
export const withDestinations = async <Row extends { partnerId: number }>(c: Call, db: Database, rows: Row[]) => {
  const ids = (await maySeeDestinations(c, db)) ? [...new Set(rows.map(({ partnerId }) => partnerId))] : []
  const details = await payoutDetailsOf(db, { programId: c.get('program').id, ids })
  return rows.map((row) => ({ ...row, payoutDetails: details.get(row.partnerId) ?? null }))
}
