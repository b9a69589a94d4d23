import type { WrittenPartner } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { partnerOfCode, partnerOfSimilarCode } from './former-codes.ts'
import type { PartnerKey } from './payout-details.ts'
import { findLinkByAff, insertCodeLink, similarLinks } from './referral-links.ts'

const INACTIVE_STATUSES = ['suspended', 'rejected']

/** Whether the partner accepts clicks. If all their links are disabled, their code does not create a new one. */
const takesClicks = async (db: Database | Tx, { programId, partnerId }: PartnerKey) => {
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
const isOwnInAnyCase = async (db: Database | Tx, { programId, partnerId, code }: PartnerKey & { code: string }) => {
  const owner = await partnerOfSimilarCode(db, code)
  if (owner?.programId !== programId || owner.partnerId !== partnerId) return false
  const links = await similarLinks(db, code)
  return links.every((link) => link.programId === programId && link.partnerId === partnerId)
}

/** The partner whose code equals an unknown `aff`, and whether their code may become a link. */
export const findCodeOwner = async (db: Database, code: string) => {
  const partner = await partnerOfCode(db, code)
  if (!partner) return null
  if (!(await isOwnInAnyCase(db, { ...partner, code }))) return null
  return { ...partner, takesClicks: await takesClicks(db, partner) }
}

/** Whether `?aff=<code>` reaches this partner. A link's aff wins over a code, and a code's first owner over later ones. */
export const codeAsAff = async (
  db: Database | Tx,
  key: PartnerKey & { code: string },
): Promise<WrittenPartner['codeAsAff']> => {
  const { programId, partnerId, code } = key
  const link = await findLinkByAff(db, code)
  const works = link ? link.programId === programId && link.partnerId === partnerId : await isOwnInAnyCase(db, key)
  return works ? 'works' : 'taken'
}

type NewCodeLink = PartnerKey & { code: string; at: Date }

/** Creates the link named after a partner's code, to the program's first website. Null if another link or partner has the name. */
export const createCodeLink = async (tx: Tx, { programId, partnerId, code, at }: NewCodeLink) => {
  if (!(await isOwnInAnyCase(tx, { programId, partnerId, code }))) return null
  return insertCodeLink(tx, { programId, partnerId, aff: code, createdAt: at })
}

/** A partner whose code has a link gets one for the new code too, unless all their links are disabled. */
export const createNextCodeLink = async (tx: Tx, { old, ...next }: NewCodeLink & { old: string }) => {
  const { programId, partnerId } = next
  const link = await findLinkByAff(tx, old)
  if (link?.programId !== programId || link.partnerId !== partnerId) return null
  return (await takesClicks(tx, { programId, partnerId })) ? createCodeLink(tx, next) : null
}
