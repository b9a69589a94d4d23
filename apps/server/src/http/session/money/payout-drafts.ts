import { createPayoutRequest, payoutScheduleRequest } from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { PAYOUT_CREATED } from '../../../audit/payout-history.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { logHead } from '../../../log.ts'
import { confirmDraft, discardDraft, findOpenDraft, findOpenDraftId } from '../../../money/payouts/drafts.ts'
import { changeSchedule, findSchedule } from '../../../money/payouts/schedules.ts'
import { withPartnerNames } from '../../../partners/partner-names.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { orNotFound, pathId } from '../../lists.ts'
import { check, readJson, readOptionalJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'
import { readPayout, refuseUnknownPartners, withDestinationStates } from './payouts.ts'

const PAYOUTS = '/api/programs/:programId/payouts'

/** The payout schedule and the drafts it prepares. Registered before the routes of a payout, whose paths match too. */
export const payoutDrafts = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'commission:read')
  const mayManage = requireProgram(dependencies, 'payout:manage')

  app.get(`${PAYOUTS}/schedule`, mayRead, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const schedule = await findSchedule(db, { programId, at: clock() })
    return c.json({ data: { ...schedule, openDraftId: await findOpenDraftId(db, programId) } })
  })

  app.put(`${PAYOUTS}/schedule`, mayManage, async (c) => {
    const db = c.get('db')
    const request = check(payoutScheduleRequest, await readJson(c))
    const { id: programId, timezone } = c.get('program')
    const at = clock()
    const schedule = await inTransaction(db, async (tx) => {
      const { before, after } = await changeSchedule(tx, { programId, at, request, timezone })
      const changes = changedFields(before, after)
      const entry = { action: 'payout schedule changed', subject: 'program', ...changes, at }
      if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return after
    })
    return c.json({ data: { ...schedule, openDraftId: await findOpenDraftId(db, programId) } })
  })

  app.get(`${PAYOUTS}/draft`, mayRead, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const at = clock()
    const draft = await findOpenDraft(db, { programId, at })
    if (!draft) return c.json({ data: null })
    const named = await withPartnerNames(db, programId, draft.lines)
    return c.json({ data: { ...draft, lines: await withDestinationStates(db, { programId, at }, named) } })
  })

  app.post(`${PAYOUTS}/drafts/:draftId/confirm`, mayManage, (c) => confirm(c, dependencies))

  app.post(`${PAYOUTS}/drafts/:draftId/discard`, mayManage, async (c) => {
    const programId = c.get('program').id
    const draftId = orNotFound(pathId(c, 'draftId'), 'payout draft')
    const at = clock()
    const entry = { action: 'payout draft discarded', subject: `payout draft ${draftId}`, at }
    const also = (tx: Parameters<typeof recordAudit>[0]) =>
      recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
    return c.json({
      data: orNotFound(await discardDraft(c.get('db'), { programId, draftId, at, also }), 'payout draft'),
    })
  })
}

const confirm = async (c: Call, dependencies: Dependencies) => {
  const db = c.get('db')
  const { clock, log } = dependencies
  const request = check(createPayoutRequest, await readOptionalJson(c))
  const programId = c.get('program').id
  const draftId = orNotFound(pathId(c, 'draftId'), 'payout draft')
  const userId = c.get('user').id
  const at = clock()
  await refuseUnknownPartners(db, { programId, ...request })
  const confirmed = await confirmDraft(db, {
    ...{ programId, draftId, createdBy: userId, at, onSealed: logHead(log) },
    ...request,
    also: (tx, payoutId, lines) => {
      const after = { lines, ...request, draftId }
      return recordAudit(tx, { programId, userId, action: PAYOUT_CREATED, subject: `payout ${payoutId}`, after, at })
    },
  })
  const { payoutId, changes } = orNotFound(confirmed, 'payout draft')
  return c.json({ data: { ...(await readPayout(c, dependencies, payoutId)), changes } }, 201)
}
