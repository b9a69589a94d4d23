import { performanceQuery } from '@tributary/contract'
import { readPerformance } from '../../events/overview/performance.ts'
import { balances } from '../../money/ledger/ledger.ts'
import { partnersOfCaller } from '../../partners/partner-users.ts'
import { findPayoutDetails } from '../../partners/payout-details.ts'
import type { App, Dependencies } from '../context.ts'
import { answerWhole } from '../lists.ts'
import { check } from '../read-json.ts'
import { requirePartner } from './require-partner.ts'

/** A partner's balances in all programs, and the overview of one. */
export const portalBalances = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const asPartner = requirePartner(dependencies)

  app.get('/api/portal/balances', async (c) => {
    const at = clock()
    const rows = []
    for (const { programId, partnerId } of await partnersOfCaller(db, { id: c.get('user').id, view: c.get('view') })) {
      const key = { programId, partnerId, at }
      const owed = (await balances(db, key)).map(({ partnerId: _, ...balance }) => balance)
      const isOwed = owed.some(({ payableCents, batchedCents }) => payableCents > 0 || batchedCents > 0)
      const needsPayoutDetails = isOwed && (await findPayoutDetails(db, key)) === null
      rows.push({ programId, balances: owed, needsPayoutDetails })
    }
    return answerWhole(c, rows)
  })

  app.get('/api/portal/programs/:programId/overview', asPartner, async (c) => {
    const db = c.get('db')
    const { partnerId: _, ...query } = check(performanceQuery, c.req.query())
    const program = c.get('program')
    const { partnerId } = c.get('partner')
    const at = clock()
    const owed = await balances(db, { programId: program.id, partnerId, at })
    return c.json({
      data: {
        performance: await readPerformance(db, { program, query, at, partnerId }),
        balances: owed.map(({ partnerId: _, ...balance }) => balance),
      },
    })
  })
}
