import type { Recorder } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Log } from '../../log.ts'
import { isPublicAddress } from '../../visitors/network-of.ts'
import type { Visitors } from '../../visitors/visitor.ts'
import { recordVisit } from './review-partner.ts'

type Call = { programId: number; partnerId: number; ip: string | null }
export type Visits = (call: Call) => Promise<void>

const MAX_KNOWN = 20_000

/**
 * Records the networks from which partners call, once a day and process for each. A local address is that of a proxy or of this
 * machine, which all visitors have. No call fails because of it.
 */
export const createVisits = (deps: Recorder & { db: Database; visitors: Visitors; log: Log }): Visits => {
  const known = new Set<string>()
  return async ({ ip, ...partner }) => {
    if (ip === null || !isPublicAddress(ip)) return
    const { visitorHash } = deps.visitors({ ip, userAgent: null })
    const visit = `${partner.programId} ${partner.partnerId} ${visitorHash}`
    if (visitorHash === null || known.has(visit)) return
    if (known.size >= MAX_KNOWN) known.clear()
    known.add(visit)
    await recordVisit(deps, { ...partner, visitorHash }).catch((error: Error) => {
      known.delete(visit)
      deps.log.warn({ error: error.message }, 'could not record the visit of a partner')
    })
  }
}
