import { payoutLineHistory } from '../../../audit/payout-history.ts'
import { findPayoutLines } from '../../../money/payouts/find-payout-lines.ts'
import { findStatement } from '../../../money/payouts/find-statement.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { answerWhole, orNotFound, pathId } from '../../lists.ts'
import { hasPermission, requireProgram } from '../require-session.ts'

export const LINE = '/api/programs/:programId/payouts/:payoutId/lines/:lineId'

export const lineKey = (c: Call) => ({
  programId: c.get('program').id,
  payoutId: orNotFound(pathId(c, 'payoutId'), 'payout'),
  lineId: orNotFound(pathId(c, 'lineId'), 'payout line'),
})

/** What happened to a payout line, and its statement. */
export const payoutLineRecords = (app: App, dependencies: Dependencies) => {
  const mayManage = requireProgram(dependencies, 'payout:manage')

  app.get(`${LINE}/history`, mayManage, async (c) => {
    const db = c.get('db')
    const key = lineKey(c)
    const [line] = await findPayoutLines(db, key)
    const { amountCents, reservedCents, decidedAt, status } = orNotFound(line, 'payout line')
    const events = (await payoutLineHistory(db, key)).map((event) =>
      event.action === 'created' ? { ...event, amountCents: reservedCents } : event,
    )
    // A line that refunds have emptied closes without a member.
    const isClosed = status === 'failed' && decidedAt && events.every(({ action }) => action !== 'failed')
    const closed = { userName: null, file: null, reference: null, note: null, at: decidedAt, amountCents }
    return answerWhole(c, [...events, ...(isClosed ? [{ action: 'emptied', ...closed }] : [])])
  })

  app.get(`${LINE}/statement`, mayManage, async (c) => {
    const db = c.get('db')
    const seesCustomers = await hasPermission(c, db, 'tracking:list')
    return c.json({ data: orNotFound(await findStatement(db, { ...lineKey(c), seesCustomers }), 'statement') })
  })
}
