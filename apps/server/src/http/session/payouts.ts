import { decidePayoutLineRequest, payoutLinesQuery, payoutsQuery } from '@tributary/contract'
import { note } from '../../audit/audit-log.ts'
import type { PayoutLine } from '../../money/find-payout-lines.ts'
import { findPayout, findPayoutHead, listPayoutLines, listPayouts, payoutLineAnswer } from '../../money/list-payouts.ts'
import { decidePayoutLine, exportLines } from '../../money/payout-lines.ts'
import { createPayout, duePayouts } from '../../money/payouts.ts'
import { contactsOf } from '../../partners/partners.ts'
import { payoutDetailsOf } from '../../partners/payout-details.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { fileOf, streamCsv, wantsCsv } from '../csv.ts'
import { answerList, answerWhole, numberIn, orNotFound } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { inParts, money, WHOLE_LIST } from './export/file.ts'
import { withPartnerNames } from './partner-names.ts'
import { withDestinations } from './payout-destinations.ts'
import { payableBy, payoutFile } from './payout-files.ts'
import { requireProgram } from './require-session.ts'

type Row = Awaited<ReturnType<typeof listPayouts>>['rows'][number]

/** Batches of what is due: preview, create, export, mark paid or failed. */
export const payouts = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const mayRead = requireProgram(dependencies, 'commission:read')
  const mayManage = requireProgram(dependencies, 'payout:manage')
  const read = async (c: Call, id: number) => {
    const programId = c.get('program').id
    const payout = orNotFound(await findPayout(db, { programId, id }), 'payout')
    return { ...payout, lines: await withDestinations(c, db, await withPartnerNames(db, programId, payout.lines)) }
  }

  app.get('/api/programs/:programId/payouts', mayRead, async (c) => {
    const query = check(payoutsQuery, c.req.query())
    const page = wantsCsv(c) ? WHOLE_LIST : query
    const { rows, total } = await listPayouts(db, { programId: c.get('program').id, ...query, ...page })
    if (!wantsCsv(c)) return answerList(c, rows, { ...page, total })
    const cells = (row: Row) => [row.id, row.createdAt, row.lineCount, row.openCount, money(row.amounts)]
    return streamCsv(c, 'payouts', ['id', 'created_at', 'lines', 'open_lines', 'amounts'], inParts(rows, cells))
  })

  app.get('/api/programs/:programId/payouts/preview', mayRead, async (c) => {
    const programId = c.get('program').id
    return answerWhole(c, await withPartnerNames(db, programId, await duePayouts(db, { programId, at: clock() })))
  })

  app.post('/api/programs/:programId/payouts', mayManage, async (c) => {
    const programId = c.get('program').id
    const userId = c.get('user').id
    const at = clock()
    const id = await createPayout(db, {
      programId,
      createdBy: userId,
      at,
      also: (tx, payoutId, lines) =>
        note(tx, { programId, userId, action: 'payout created', subject: `payout ${payoutId}`, after: lines, at }),
    })
    return c.json({ data: await read(c, id) }, 201)
  })

  app.get('/api/programs/:programId/payouts/:payoutId', mayRead, async (c) => {
    const id = orNotFound(numberIn(c, 'payoutId'), 'payout')
    return c.json({ data: await read(c, id) })
  })

  app.get('/api/programs/:programId/payouts/:payoutId/lines', mayRead, async (c) => {
    const query = check(payoutLinesQuery, c.req.query())
    const programId = c.get('program').id
    const payoutId = orNotFound(numberIn(c, 'payoutId'), 'payout')
    orNotFound(await findPayoutHead(db, { programId, id: payoutId }), 'payout')
    const { rows, total } = await listPayoutLines(db, { programId, payoutId, ...query })
    return answerList(c, await withDestinations(c, db, rows), { ...query, total })
  })

  // Not for everybody who may read: what was handed out is what a line will have paid.
  app.get('/api/programs/:programId/payouts/:payoutId/export', mayManage, async (c) => {
    const programId = c.get('program').id
    const id = orNotFound(numberIn(c, 'payoutId'), 'payout')
    const payout = orNotFound(await findPayout(db, { programId, id }), 'payout')
    const file = payoutFile(c.req.query('file') ?? 'tributary')
    const ids = payout.lines.map(({ partnerId }) => partnerId)
    const contacts = await contactsOf(db, { programId, ids })
    const details = await payoutDetailsOf(db, { programId, ids })
    const payments = (lines: PayoutLine[]) =>
      lines.map((line) => ({
        ...{ ...payoutLineAnswer(line), payoutId: id, ...contacts.get(line.partnerId) },
        payoutDetails: details.get(line.partnerId) ?? null,
      }))
    const currency = c.req.query('currency')?.toUpperCase()
    const choose = (lines: PayoutLine[]) => {
      const chosen = payableBy(file, payments(lines)).map((line) => line.id)
      return lines.filter((line) => chosen.includes(line.id))
    }
    const lines = payments(await exportLines(db, { programId, payoutId: id, currency, choose }))
    const { columns, row } = file
    return fileOf(c, { name: `payout-${id}`, ...(columns && { columns }), rows: lines.map(row) })
  })

  app.post('/api/programs/:programId/payouts/:payoutId/lines/:lineId', mayManage, async (c) => {
    const programId = c.get('program').id
    const payoutId = orNotFound(numberIn(c, 'payoutId'), 'payout')
    const lineId = orNotFound(numberIn(c, 'lineId'), 'payout line')
    const { status, amountCents = null } = check(decidePayoutLineRequest, await readJson(c))
    const userId = c.get('user').id
    const at = clock()
    const line = await decidePayoutLine(db, {
      programId,
      payoutId,
      lineId,
      status,
      amountCents,
      at,
      also: (tx, before, after) =>
        note(tx, {
          programId,
          userId,
          action: `payout line ${status}`,
          subject: `payout line ${lineId}`,
          before,
          after,
          at,
        }),
    })
    const answer = payoutLineAnswer(orNotFound(line, 'payout line'))
    const [named] = await withDestinations(c, db, await withPartnerNames(db, programId, [answer]))
    return c.json({ data: named })
  })
}
