import type { Database } from '../../database/connect.ts'
import { contactsOf } from '../../partners/partners.ts'

/** Rows of money, which know a partner's number, with the name that people know them by. */
export const withPartnerNames = async <Row extends { partnerId: number }>(
  db: Database,
  programId: number,
  rows: Row[],
) => {
  const contacts = await contactsOf(db, { programId, ids: [...new Set(rows.map(({ partnerId }) => partnerId))] })
  return rows.map((row) => ({ ...row, partnerName: contacts.get(row.partnerId)?.name ?? '' }))
}
