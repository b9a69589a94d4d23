import { recordAudit } from '../../audit/audit-log.ts'
import type { Tx } from '../../database/transaction.ts'
import { currentGroups, insertMoves } from '../../partners/group-changes.ts'
import { listGroups, type PartnerGroup } from '../../partners/groups.ts'
import { Refusal } from '../../refusal.ts'

type Move = { programId: number; partnerIds: number[]; groupId: number; userId: string; at: Date }

/**
 * Moves partners to a group from `at` on, all or none; those already in it stay. The caller holds `lockTerms`, so no commission is
 * being created under the old group meanwhile. Returns how many moved.
 */
export const movePartners = async (tx: Tx, { programId, partnerIds, groupId, userId, at }: Move) => {
  const groups = new Map((await listGroups(tx, programId)).map((group) => [group.id, group]))
  const target = groups.get(groupId)
  if (!target) throw noSuchGroup(groups)
  const current = await currentGroups(tx, { programId, partnerIds })
  const missing = partnerIds.find((id) => !current.has(id))
  if (missing !== undefined)
    throw new Refusal('not_found', `Partner ${missing} does not exist in this program. No partner was moved.`)
  const moving = [...current].filter(([, from]) => from !== groupId)
  await insertMoves(tx, { programId, partnerIds: moving.map(([partnerId]) => partnerId), groupId, movedBy: userId, at })
  for (const [partnerId, from] of moving) {
    const before = { group: groups.get(from)?.name ?? null }
    const entry = { action: 'partner moved', subject: `partner ${partnerId}`, before, after: { group: target.name } }
    await recordAudit(tx, { programId, userId, ...entry, at })
  }
  return moving.length
}

const noSuchGroup = (groups: Map<number, PartnerGroup>) => {
  const names = [...groups.values()].map(({ id, name }) => `${id} (${name})`).join(', ')
  return new Refusal('invalid_request', `groupId must be a group of this program: ${names}.`, { field: 'groupId' })
}
