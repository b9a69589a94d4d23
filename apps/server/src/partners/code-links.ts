import type { Database } from '../database/connect.ts'
import { partnerOfCode } from './former-codes.ts'
import type { PartnerKey } from './payout-details.ts'
import { findLinkByAff } from './referral-links.ts'

const OFF = ['suspended', 'rejected']

/** Whether the partner takes clicks at all. One whose links were all switched off does not get a new one by their code. */
const takesClicks = async (db: Database, { programId, partnerId }: PartnerKey) => {
  const partner = await db
    .selectFrom('partners')
    .select(['status', 'archived'])
    .where('programId', '=', programId)
    .where('id', '=', partnerId)
    .executeTakeFirstOrThrow()
  if (partner.archived || OFF.includes(partner.status)) return false
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

/** The partner whose code an unknown `aff` is, and whether their code may have a link. */
export const findCodeOwner = async (db: Database, code: string) => {
  const partner = await partnerOfCode(db, code)
  if (!partner) return null
  return { ...partner, takesClicks: await takesClicks(db, partner) }
}

/** Whether `?aff=<code>` reaches this partner. A link of that name wins over a code, the first owner of a code over later ones. */
export const codeAsAff = async (db: Database, { programId, partnerId, code }: PartnerKey & { code: string }) => {
  const owner = (await findLinkByAff(db, code)) ?? (await partnerOfCode(db, code))
  return owner?.programId === programId && owner.partnerId === partnerId ? 'works' : 'taken'
}
