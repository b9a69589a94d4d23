import { adjustmentRequest, adjustmentsQuery, reverseAdjustmentRequest } from '@tributary/contract'
import { inTransaction } from '../../../database/transaction.ts'
import { findAdjustmentRow, listAdjustments } from '../../../money/adjustments/list-adjustments.ts'
import { adjust, makeAdjustment } from '../../../tracking/adjustments/adjust.ts'
import { previewAdjustment } from '../../../tracking/adjustments/preview-adjustment.ts'
import { reverseAdjustment } from '../../../tracking/adjustments/reverse-adjustment.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { answerList, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { hasPermission, requireProgram } from '../require-session.ts'

/** Bonuses, manual commissions, voids, and sales credited or moved manually. */
export const adjustments = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayManage = requireProgram(dependencies, 'payout:manage')

  /** Members who may not list customers see no invoices, as in commissions. */
  const shown = async <Row extends { invoiceId: string | null }>(c: Call, row: Row) =>
    (await hasPermission(c, c.get('db'), 'tracking:list')) ? row : { ...row, invoiceId: null }

  app.get('/api/programs/:programId/adjustments', requireProgram(dependencies, 'commission:read'), async (c) => {
    const db = c.get('db')
    const query = check(adjustmentsQuery, c.req.query())
    const { rows, total } = await listAdjustments(db, { ...query, programId: c.get('program').id })
    const seesCustomers = await hasPermission(c, db, 'tracking:list')
    return answerList(c, seesCustomers ? rows : rows.map((row) => ({ ...row, invoiceId: null })), { ...query, total })
  })

  app.post('/api/programs/:programId/adjustments', mayManage, async (c) => {
    const program = c.get('program')
    const request = check(adjustmentRequest, await readJson(c))
    const { id, isReplayed } = await adjust(
      { ...dependencies, db: c.get('db') },
      { program, userId: c.get('user').id, request },
    )
    const row = orNotFound(await findAdjustmentRow(c.get('db'), { programId: program.id, id }), 'adjustment')
    return c.json({ data: await shown(c, row) }, isReplayed ? 200 : 201)
  })

  app.post('/api/programs/:programId/adjustments/preview', mayManage, async (c) => {
    const program = c.get('program')
    const call = { program, userId: c.get('user').id, request: check(adjustmentRequest, await readJson(c)) }
    const run = (tx: Parameters<typeof makeAdjustment>[0]) => makeAdjustment(tx, call, clock())
    return c.json({ data: { changes: await previewAdjustment(c.get('db'), { programId: program.id, run }) } })
  })

  app.post('/api/programs/:programId/adjustments/:adjustmentId/reverse', mayManage, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const adjustmentId = orNotFound(pathId(c, 'adjustmentId'), 'adjustment')
    const { reason } = check(reverseAdjustmentRequest, await readJson(c))
    const reversal = { programId, adjustmentId, reason, userId: c.get('user').id, at: clock() }
    orNotFound(await inTransaction(db, (tx) => reverseAdjustment(tx, reversal)), 'adjustment')
    const row = orNotFound(await findAdjustmentRow(db, { programId, id: adjustmentId }), 'adjustment')
    return c.json({ data: await shown(c, row) })
  })
}
