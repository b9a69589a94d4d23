import { type RewardRequest, rewardPreviewRequest, rewardRequest } from '@tributary/contract'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { changeReward, endCustomReward } from '../../../money/rewards/change-reward.ts'
import { previewReward } from '../../../money/rewards/preview-reward.ts'
import { backfillAnswer } from '../../../money/rewards/reward-backfills.ts'
import { lockTerms, type TermsOwner } from '../../../money/rewards/reward-terms.ts'
import { findProgram } from '../../../programs/programs.ts'
import { Refusal } from '../../../refusal.ts'
import { beginRewardBackfill, findEarlierEvents } from '../../../tracking/sales/apply-to-earlier.ts'
import { runBackfill } from '../../../tracking/sales/backfill-reward.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { partnerIdInPath } from '../partners/partners.ts'
import { requireProgram } from '../require-session.ts'
import { changeTerms, PROGRAM_TERMS, rewardOf } from './change-terms.ts'

/** Customers processed before the response; housekeeping processes the rest. */
const MAX_CUSTOMERS = 500

const ONLY_PROGRAM = "applyToEarlier is not allowed for a partner's custom terms. Leave it out."

/** Reward terms of a program and custom terms of partners. */
export const rewards = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'program:read')
  const mayManage = requireProgram(dependencies, 'payout:manage')
  const read = (c: Call, owner: TermsOwner) => rewardOf(c.get('db'), { program: c.get('program'), owner, at: clock() })

  app.get('/api/programs/:programId/reward', mayRead, async (c) => c.json({ data: await read(c, PROGRAM_TERMS) }))

  app.put('/api/programs/:programId/reward', mayManage, async (c) =>
    c.json({ data: await changeProgramReward(c, dependencies, check(rewardRequest, await readJson(c))) }),
  )

  app.get('/api/programs/:programId/reward/earlier', mayRead, async (c) =>
    c.json({ data: await findEarlierEvents(c.get('db'), c.get('program').id) }),
  )

  app.post('/api/programs/:programId/reward/preview', mayRead, async (c) => {
    const program = c.get('program')
    const { reward, amountCents, currency = program.currency } = check(rewardPreviewRequest, await readJson(c))
    const preview = { request: reward, termsCurrency: program.currency, amountCents, currency, at: clock() }
    return c.json({ data: previewReward(preview) })
  })

  app.get('/api/programs/:programId/partners/:partnerId/reward', mayRead, async (c) =>
    c.json({ data: await read(c, { partnerId: await partnerIdInPath(c, c.get('db')), groupId: null }) }),
  )

  app.put('/api/programs/:programId/partners/:partnerId/reward', mayManage, async (c) => {
    const partnerId = await partnerIdInPath(c, c.get('db'))
    const request = check(rewardRequest, await readJson(c))
    if (request.applyToEarlier) throw new Refusal('conflict', ONLY_PROGRAM, { field: 'applyToEarlier' })
    return c.json({ data: await changeOwnReward(c, dependencies, { owner: { partnerId, groupId: null }, request }) })
  })

  app.delete('/api/programs/:programId/partners/:partnerId/reward', mayManage, async (c) => {
    const partnerId = await partnerIdInPath(c, c.get('db'))
    const owner = { partnerId, groupId: null }
    return c.json({ data: await changeTerms(c, dependencies, { owner, write: endCustomReward }) })
  })
}

/** Sets the terms of the program, which are those of its default group. */
export const changeProgramReward = (c: Call, dependencies: Dependencies, request: RewardRequest) =>
  request.applyToEarlier
    ? applyToEarlier(c, dependencies, request)
    : changeOwnReward(c, dependencies, { owner: PROGRAM_TERMS, request })

type OwnReward = { owner: TermsOwner; request: RewardRequest }

/** Sets the terms of a partner or a group. */
export const changeOwnReward = (c: Call, dependencies: Dependencies, { owner, request }: OwnReward) =>
  changeTerms(c, dependencies, {
    ...{ owner, replaces: request.replaces },
    write: (tx, to) => changeReward(tx, { ...to, request }),
  })

/** Sets the program's first terms and applies them to everything recorded before. */
const applyToEarlier = async (c: Call, dependencies: Dependencies, request: RewardRequest) => {
  const { clock } = dependencies
  const { id: programId } = c.get('program')
  const userId = c.get('user').id
  const saved = await inTransaction(c.get('db'), async (tx) => {
    await lockTerms(tx, programId)
    const program = (await findProgram(tx, programId)) ?? c.get('program')
    const at = clock()
    const before = await rewardOf(tx, { program, owner: PROGRAM_TERMS, at })
    const hasBegun = await beginRewardBackfill(tx, { program, request, userId, at })
    const after = await rewardOf(tx, { program, owner: PROGRAM_TERMS, at })
    const entry = { action: 'reward terms changed', subject: 'program reward terms', before, after }
    if (hasBegun) await recordAudit(tx, { programId, userId, ...entry, at })
    return after
  })
  const backfill = await runBackfill({ ...dependencies, db: c.get('db') }, { programId, maxCustomers: MAX_CUSTOMERS })
  return { ...saved, ...(backfill && { earlier: backfillAnswer(backfill) }) }
}
