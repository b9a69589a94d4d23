import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { findCodeOwner } from '../../partners/code-links.ts'
import { insertCodeLink } from '../../partners/referral-links.ts'

type CodeRefusal = 'link_not_found' | 'link_disabled'
export type OpenCodeLink = (aff: string) => Promise<CodeRefusal | null>

/**
 * A partner's code also works as `aff`. The first click on a code creates a link with that name, so later clicks take the normal
 * path. Concurrent clicks with the same unknown value share one lookup.
 */
export const createCodeLinkOpener = ({ db, clock }: { db: Database; clock: Clock }): OpenCodeLink => {
  const running = new Map<string, Promise<CodeRefusal | null>>()
  return (aff) => {
    const known = running.get(aff)
    if (known) return known
    const opening = openCodeLink(db, { aff, at: clock() }).finally(() => running.delete(aff))
    running.set(aff, opening)
    return opening
  }
}

const openCodeLink = async (db: Database, { aff, at }: { aff: string; at: Date }): Promise<CodeRefusal | null> => {
  const owner = await findCodeOwner(db, aff)
  if (!owner) return 'link_not_found'
  const { programId, partnerId, takesClicks } = owner
  if (!takesClicks) return 'link_disabled'
  await inTransaction(db, async (tx) => {
    const after = await insertCodeLink(tx, { programId, partnerId, aff, createdAt: at })
    if (!after) return
    await recordAudit(tx, { programId, userId: null, action: 'link created', subject: `link ${aff}`, after, at })
  })
  return null
}
