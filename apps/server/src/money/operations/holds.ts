import { HOLDS } from '@tributary/contract/declared'
import type { Tx } from '../../database/transaction.ts'
import { findGroup } from '../../partners/groups.ts'
import { findPartner } from '../../partners/partner-users.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { type HoldScope, listHeld, releaseHolds } from '../commissions/release-holds.ts'

/** Commissions in their hold period. */
export const holds = runs(
  HOLDS,
  {},
  {
    list: ({ db, program: { id: programId }, clock, query }) => listHeld(db, { programId, ...query, at: clock() }),

    release: async ({ tx, program: { id: programId }, actor, clock, audit, body }) => {
      const scope = { programId, ...body }
      const subject = await subjectOf(tx, scope)
      const { at, released } = await releaseHolds(tx, { ...scope, releasedBy: actor.id, clock })
      if (released.length > 0)
        await audit(tx, { action: 'held commissions released', subject, after: { released }, at })
      return { released }
    },
  },
)

const subjectOf = async (tx: Tx, { programId, partnerId, groupId }: HoldScope) => {
  if (partnerId !== undefined) {
    orNotFound(await findPartner(tx, { programId, partnerId }), 'partner')
    return `partner ${partnerId}`
  }
  if (groupId === undefined) return 'program'
  orNotFound(await findGroup(tx, { programId, id: groupId }), 'group')
  return `group ${groupId}`
}
