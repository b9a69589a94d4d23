import { HOLDS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { findGroup } from '../../partners/groups.ts'
import { findPartner } from '../../partners/partner-users.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { findHeld, type HoldScope, listHeld, releaseHolds, type Total, totalsOf } from '../commissions/release-holds.ts'

/** Refunds and payments of their partners wait until these are committed. */
const RELEASED_AT_ONCE = 200

/** Commissions in their hold period. */
export const holds = runs(
  HOLDS,
  {},
  {
    list: ({ db, program: { id: programId }, clock, query }) => listHeld(db, { programId, ...query, at: clock() }),

    release: {
      ownTransactions: async ({ db, program: { id: programId }, actor, clock, audit, body }) => {
        const scope = { programId, ...body }
        const subject = await subjectOf(db, scope)
        const held = await findHeld(db, { ...scope, at: clock() })
        const totals: Total[] = []
        for (let start = 0; start < held.length; start += RELEASED_AT_ONCE) {
          const keys = held.slice(start, start + RELEASED_AT_ONCE)
          const batch = { ...scope, keys, releasedBy: actor.id, clock }
          const done = await inTransaction(db, async (tx) => {
            const { at, released } = await releaseHolds(tx, batch)
            if (released.length > 0)
              await audit(tx, { action: 'held commissions released', subject, after: { released }, at })
            return released
          })
          totals.push(...done)
        }
        return { released: totalsOf(totals) }
      },
    },
  },
)

const subjectOf = async (db: Database, { programId, partnerId, groupId }: HoldScope) => {
  if (partnerId !== undefined) {
    orNotFound(await findPartner(db, { programId, partnerId }), 'partner')
    return `partner ${partnerId}`
  }
  if (groupId === undefined) return 'program'
  orNotFound(await findGroup(db, { programId, id: groupId }), 'group')
  return `group ${groupId}`
}
