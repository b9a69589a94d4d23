import { recordAudit } from '../audit/audit-log.ts'
import type { Tx } from '../database/transaction.ts'
import { addTerms, type NewTerms } from '../money/rewards/reward-terms.ts'
import { changeGroup, insertGroup, listGroups } from '../partners/groups.ts'
import { movePartners } from '../tracking/groups/move-partners.ts'

type Options = { programId: number; userId: string; terms: NewTerms; at: Date }

/** A better reward for partners with many sales. One partner is already there. */
export const createGroups = async (tx: Tx, { programId, userId, terms, at }: Options) => {
  const [standard] = await listGroups(tx, programId)
  const partner = await tx
    .selectFrom('partners')
    .select('id')
    .where('programId', '=', programId)
    .where('code', '=', 'maya')
    .executeTakeFirstOrThrow()
  if (!standard) throw new Error('every program has a default group')
  const gold = await insertGroup(tx, { programId, name: 'Gold', landingPages: [], tierRule: null, createdAt: at })
  const created = { action: 'group created', subject: `group ${gold.id}`, after: { name: gold.name } }
  await recordAudit(tx, { programId, userId, ...created, at })
  await addTerms(tx, { programId, terms: { ...terms, groupId: gold.id, salePercentBps: 2_500 }, at })
  const tierRule = { after: { sales: 40 }, within: 'month', moveTo: gold.id } as const
  await changeGroup(tx, { programId, id: standard.id, change: { tierRule } })
  const changed = { action: 'group changed', subject: `group ${standard.id}`, after: { tierRule } }
  await recordAudit(tx, { programId, userId, ...changed, at })
  await movePartners(tx, { programId, partnerIds: [partner.id], groupId: gold.id, userId, at })
}
