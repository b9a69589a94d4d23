import { adjustmentRequest, adjustmentsQuery, reverseAdjustmentRequest } from '@tributary/contract'
import { inTransaction } from '../../../database/transaction.ts'
import { findAdjustmentRow, listAdjustments } from '../../../money/adjustments/list-adjustments.ts'
import { adjust, makeAdjustment } from '../../../tracking/adjustments/adjust.ts'
import { previewAdjustment } from '../../../tracking/adjustments/preview-adjustment.ts'
import { reverseAdjustment } from '../../../tracking/adjustments/reverse-adjustment.ts'
import type { App, Dependencies } from '../../context.ts'
import { answerList, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

/** Bonuses, manual commissions, voids, and sales credited or moved by hand. */
export const adjustments = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const mayManage = requireProgram(dependencies, 'payout:manage')

  app.get('/api/programs/:programId/adjustments', requireProgram(dependencies, 'commission:read'), async (c) => {
    const query = check(adjustmentsQuery, c.req.query())
    const { rows, total } = await listAdjustments(db, { ...query, programId: c.get('program').id })
    return answerList(c, rows, { ...query, total })
  })

  app.post('/api/programs/:programId/adjustments', mayManage, async (c) => {
    const program = c.get('program')
    const request = check(adjustmentRequest, await readJson(c))
    const { id, isReplayed } = await adjust(dependencies, { program, userId: c.get('user').id, request })
    const row = orNotFound(await findAdjustmentRow(db, { programId: program.id, id }), 'adjustment')
    return c.json({ data: row }, isReplayed ? 200 : 201)
  })

  app.post('/api/programs/:programId/adjustments/preview', mayManage, async (c) => {
    const program = c.get('program')
    const call = { program, userId: c.get('user').id, request: check(adjustmentRequest, await readJson(c)) }
    const run = (tx: Parameters<typeof makeAdjustment>[0]) => makeAdjustment(tx, call, clock())
    return c.json({ data: { changes: await previewAdjustment(db, { programId: program.id, run }) } })
  })

  app.post('/api/programs/:programId/adjustments/:adjustmentId/reverse', mayManage, async (c) => {
    const programId = c.get('program').id
    const adjustmentId = orNotFound(pathId(c, 'adjustmentId'), 'adjustment')
    const { reason } = check(reverseAdjustmentRequest, await readJson(c))
    const reversal = { programId, adjustmentId, reason, userId: c.get('user').id, at: clock() }
    orNotFound(await inTransaction(db, (tx) => reverseAdjustment(tx, reversal)), 'adjustment')
    return c.json({ data: orNotFound(await findAdjustmentRow(db, { programId, id: adjustmentId }), 'adjustment') })
  })
}
