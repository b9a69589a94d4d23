import type { Database } from '../database/connect.ts'
import { directoryOf } from '../database/directories.ts'
import type { Databases } from '../database/shards.ts'
import { partnerOfCode } from './former-codes.ts'
import { programOfLink } from './link-names.ts'
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
export const findCodeOwner = async ({ directory, shards }: Databases, code: string) => {
  const partner = await partnerOfCode(directory, code)
  if (!partner) return null
  return { ...partner, takesClicks: await takesClicks(shards.ofProgram(partner.programId), partner) }
}

/** Whether `?aff=<code>` reaches this partner. A link's aff wins over a code, and a code's first owner over later ones. */
export const codeAsAff = async (db: Database, { programId, partnerId, code }: PartnerKey & { code: string }) => {
  const directory = directoryOf(db)
  const named = await programOfLink(directory, code)
  if (named !== null && named !== programId) return 'taken'
  const owner = (await findLinkByAff(db, code)) ?? (await partnerOfCode(directory, code))
  return owner?.programId === programId && owner.partnerId === partnerId ? 'works' : 'taken'
}
