import type { Database } from '../database/connect.ts'
import { directoryOf } from '../database/directories.ts'
import type { Databases } from '../database/shards.ts'
import { anyOfTexts } from '../database/sql/columns.ts'
import { partnerOfCode, partnerOfSimilarCode } from './former-codes.ts'
import { programOfLink, similarLinkNames } from './link-names.ts'
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

/** Whether no other partner had the code first or has a link with it, in any letter case. */
const isOwnInAnyCase = async (db: Database, { programId, partnerId, code }: PartnerKey & { code: string }) => {
  const directory = directoryOf(db)
  const owner = await partnerOfSimilarCode(directory, code)
  if (owner?.programId !== programId || owner.partnerId !== partnerId) return false
  const names = await similarLinkNames(directory, code)
  if (names.some((name) => name.programId !== programId)) return false
  const links = await db
    .selectFrom('referralLinks')
    .select('partnerId')
    .where('programId', '=', programId)
    .where('aff', '=', anyOfTexts(names.map(({ aff }) => aff)))
    .execute()
  return links.every((link) => link.partnerId === partnerId)
}

/** The partner whose code equals an unknown `aff`, and whether their code may become a link. */
export const findCodeOwner = async ({ directory, shards }: Databases, code: string) => {
  const partner = await partnerOfCode(directory, code)
  if (!partner) return null
  const db = shards.ofProgram(partner.programId)
  if (!(await isOwnInAnyCase(db, { ...partner, code }))) return null
  return { ...partner, takesClicks: await takesClicks(db, partner) }
}

/** Whether `?aff=<code>` reaches this partner. A link's aff wins over a code, and a code's first owner over later ones. */
export const codeAsAff = async (db: Database, key: PartnerKey & { code: string }) => {
  const { programId, partnerId, code } = key
  const named = await programOfLink(directoryOf(db), code)
  if (named !== null && named !== programId) return 'taken'
  const link = await findLinkByAff(db, code)
  const works = link ? link.partnerId === partnerId : await isOwnInAnyCase(db, key)
  return works ? 'works' : 'taken'
}
