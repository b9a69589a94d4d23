import type { Database } from '../database/connect.ts'
import { partnerOfCode } from './former-codes.ts'
import type { PartnerKey } from './payout-details.ts'
import { findLinkByAff } from './referral-links.ts'

const INACTIVE_STATUSES = ['suspended', 'rejected']

/** Whether the partner accepts clicks. If all their links are disabled, their code does not create a new one. */
const takesClicks = async (db: Database, { programId, partnerId }: PartnerKey) => {
  const partner = await db
    .selectFrom('partners')
    .select(['status', 'archived'])
    .where('programId', '=', programId)
    .where('id', '=', partnerId)
    .executeTakeFirstOrThrow()
  if (partner.archived || INACTIVE_STATUSES.includes(partner.status)) return false
  const links = await db
    .selectFrom('referralLinks')
    .select('active')
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .orderBy('active', 'desc')
    .limit(1)
    .executeTakeFirst()
  return links?.active ?? true
}

/** The partner whose code equals an unknown `aff`, and whether their code may become a link. */
export const findCodeOwner = async (db: Database, code: string) => {
  const partner = await partnerOfCode(db, code)
  if (!partner) return null
  return { ...partner, takesClicks: await takesClicks(db, partner) }
}

/** Whether `?aff=<code>` reaches this partner. A link's aff wins over a code, and a code's first owner over later ones. */
export const codeAsAff = async (db: Database, { programId, partnerId, code }: PartnerKey & { code: string }) => {
  const owner = (await findLinkByAff(db, code)) ?? (await partnerOfCode(db, code))
  return owner?.programId === programId && owner.partnerId === partnerId ? 'works' : 'taken'
}
