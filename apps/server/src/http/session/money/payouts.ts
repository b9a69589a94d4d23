import {
  changePayoutRequest,
  createPayoutRequest,
  payoutLinesQuery,
  payoutPreviewQuery,
  payoutsQuery,
} from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { PAYOUT_CREATED } from '../../../audit/payout-history.ts'
import type { Database } from '../../../database/connect.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { logHead } from '../../../log.ts'
import { previewPayout } from '../../../money/payouts/due.ts'
import { findPayout, findPayoutHead, listPayoutLines, listPayouts } from '../../../money/payouts/list-payouts.ts'
import { changePayout, createPayout } from '../../../money/payouts/payouts.ts'
import { withPartnerNames, withPartnerStatus } from '../../../partners/partner-names.ts'
import { contactsOf } from '../../../partners/partners.ts'
import { chunks, money, WHOLE_LIST } from '../../../platform/csv-pages.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { streamCsv, wantsCsv } from '../../csv.ts'
import { answerList, answerWhole, orNotFound, pathId } from '../../lists.ts'
import { check, readJson, readOptionalJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'
import { destinationsFor, withDestinations } from './payout-destinations.ts'

type Row = Awaited<ReturnType<typeof listPayouts>>['rows'][number]

const PAYOUT_COLUMNS = ['id', 'created_at', 'lines', 'open_lines', 'amounts', 'reference', 'note']

/** Previews, creates and lists payouts. */
export const payouts = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'commission:read')
  const mayManage = requireProgram(dependencies, 'payout:manage')

  app.get('/api/programs/:programId/payouts', mayRead, async (c) => {
    const query = check(payoutsQuery, c.req.query())
    const page = wantsCsv(c) ? WHOLE_LIST : query
    const { rows, total } = await listPayouts(c.get('db'), { programId: c.get('program').id, ...query, ...page })
    if (!wantsCsv(c)) return answerList(c, rows, { ...page, total })
    const cells = (row: Row) => [
      row.id,
      row.createdAt,
      row.lineCount,
      row.openCount,
      money(row.amounts),
      row.reference,
      row.note,
    ]
    return streamCsv(c, 'payouts', PAYOUT_COLUMNS, chunks(rows, cells))
  })

  app.get('/api/programs/:programId/payouts/preview', mayRead, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const at = clock()
    const { excluded } = check(payoutPreviewQuery, c.req.query())
    const payable = await previewPayout(db, { programId, at })
    const shown = payable.filter(({ excludedReason }) => excluded === 'true' || excludedReason === null)
    const due = await withPartnerNames(db, programId, shown)
    return answerWhole(c, await withDestinationStates(db, { programId, at }, due))
  })

  app.post('/api/programs/:programId/payouts', mayManage, (c) => create(c, dependencies))

  app.patch('/api/programs/:programId/payouts/:payoutId', mayManage, async (c) => {
    const labels = check(changePayoutRequest, await readJson(c))
    const programId = c.get('program').id
    const payoutId = orNotFound(pathId(c, 'payoutId'), 'payout')
    await inTransaction(c.get('db'), async (tx) => {
      const { before, after } = orNotFound(await changePayout(tx, { programId, payoutId, ...labels }), 'payout')
      const changes = changedFields(before, after)
      const entry = { action: 'payout changed', subject: `payout ${payoutId}`, ...changes, at: clock() }
      if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
    })
    return c.json({ data: await readPayout(c, dependencies, payoutId) })
  })

  app.get('/api/programs/:programId/payouts/:payoutId', mayRead, async (c) => {
    const id = orNotFound(pathId(c, 'payoutId'), 'payout')
    return c.json({ data: await readPayout(c, dependencies, id) })
  })

  app.get('/api/programs/:programId/payouts/:payoutId/lines', mayRead, async (c) => {
    const db = c.get('db')
    const query = check(payoutLinesQuery, c.req.query())
    const programId = c.get('program').id
    const payoutId = orNotFound(pathId(c, 'payoutId'), 'payout')
    orNotFound(await findPayoutHead(db, { programId, id: payoutId }), 'payout')
    const { rows, total } = await listPayoutLines(db, { programId, payoutId, ...query })
    return answerList(c, await withDestinations(c, { db, at: clock(), payoutId }, rows), { ...query, total })
  })
}

const create = async (c: Call, dependencies: Dependencies) => {
  const db = c.get('db')
  const { clock, log } = dependencies
  const request = check(createPayoutRequest, await readOptionalJson(c))
  const programId = c.get('program').id
  const userId = c.get('user').id
  const at = clock()
  await refuseUnknownPartners(db, { programId, ...request })
  const id = await createPayout(db, {
    programId,
    createdBy: userId,
    ...request,
    at,
    onSealed: logHead(log),
    also: (tx, payoutId, lines) => {
      const entry = { action: PAYOUT_CREATED, subject: `payout ${payoutId}`, after: { lines, ...request } }
      return recordAudit(tx, { programId, userId, ...entry, at })
    },
  })
  return c.json({ data: await readPayout(c, dependencies, id) }, 201)
}

/** A payout with its lines, their partners and destinations. */
export const readPayout = async (c: Call, { clock }: Dependencies, id: number) => {
  const db = c.get('db')
  const programId = c.get('program').id
  const payout = orNotFound(await findPayout(db, { programId, id }), 'payout')
  const named = await withPartnerStatus(db, programId, payout.lines)
  return { ...payout, lines: await withDestinations(c, { db, at: clock(), payoutId: id }, named) }
}

const NEW_LINE = { status: 'open', decidedAt: null, fileMethod: null, fileAccount: null }

/** Whether each partner can be paid. Treats each due amount as a new line, because a preview has no lines yet. */
export const withDestinationStates = async <Due extends { partnerId: number }>(
  db: Database,
  { programId, at }: { programId: number; at: Date },
  due: Due[],
) => {
  const lines = due.map((row) => ({ ...row, ...NEW_LINE }))
  const found = await destinationsFor(db, { programId, at }, lines)
  return due.map((row, index) => ({
    ...row,
    needsDetails: found[index]?.needsDetails ?? true,
    destinationChangedAt: found[index]?.destinationChangedAt ?? null,
    destinationHeldUntil: found[index]?.destinationHeldUntil ?? null,
  }))
}

type Chosen = { programId: number; partnerIds?: number[] | undefined; excludePartnerIds: number[] }

export const refuseUnknownPartners = async (
  db: Database,
  { programId, partnerIds = [], excludePartnerIds }: Chosen,
) => {
  const known = await contactsOf(db, { programId, ids: [...partnerIds, ...excludePartnerIds] })
  for (const [field, ids] of Object.entries({ partnerIds, excludePartnerIds })) {
    const unknown = ids.filter((id) => !known.has(id)).slice(0, 10)
    if (unknown.length > 0)
      throw new Refusal('invalid_request', `${field} must be partners of this program. Remove ${unknown.join(', ')}.`, {
        field,
      })
  }
}
