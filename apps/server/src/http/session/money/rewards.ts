import { type RewardRequest, rewardPreviewRequest, rewardRequest } from '@tributary/contract'
import { note } from '../../../audit/audit-log.ts'
import type { Database } from '../../../database/connect.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { changeReward, endCustomReward, rewardAnswer } from '../../../money/rewards/change-reward.ts'
import { previewReward } from '../../../money/rewards/preview-reward.ts'
import { backfillAnswer } from '../../../money/rewards/reward-backfills.ts'
import { lockTerms, termsAt } from '../../../money/rewards/reward-terms.ts'
import { findProgram, type Program } from '../../../programs/programs.ts'
import { Refusal } from '../../../refusal.ts'
import { beginRewardBackfill, findEarlierEvents } from '../../../tracking/sales/apply-to-earlier.ts'
import { runBackfill } from '../../../tracking/sales/backfill-reward.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { partnerIdInPath } from '../partners/partners.ts'
import { requireProgram } from '../require-session.ts'

/** Customers processed before the response; housekeeping processes the rest. */
const MAX_CUSTOMERS = 500

const CHANGED_MEANWHILE =
  'replaces is not the current version: someone changed these terms. Review the current terms, then save again.'

const ONLY_PROGRAM = "applyToEarlier is not allowed for a partner's custom terms. Leave it out."

/** Reward terms of a program and custom terms of partners. */
export const rewards = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const mayRead = requireProgram(dependencies, 'program:read')
  const mayManage = requireProgram(dependencies, 'payout:manage')
  const read = (program: Program, partnerId: number | null) => rewardOf(db, { program, partnerId, at: clock() })

  app.get('/api/programs/:programId/reward', mayRead, async (c) => c.json({ data: await read(c.get('program'), null) }))

  app.put('/api/programs/:programId/reward', mayManage, async (c) => {
    const request = check(rewardRequest, await readJson(c))
    if (request.applyToEarlier) return c.json({ data: await applyToEarlier(c, dependencies, request) })
    const write: TermsChange['write'] = (tx, to) => changeReward(tx, { ...to, partnerId: null, request })
    return c.json({ data: await changeTerms(c, dependencies, { partnerId: null, replaces: request.replaces, write }) })
  })

  app.get('/api/programs/:programId/reward/earlier', mayRead, async (c) =>
    c.json({ data: await findEarlierEvents(db, c.get('program').id) }),
  )

  app.post('/api/programs/:programId/reward/preview', mayRead, async (c) => {
    const program = c.get('program')
    const { reward, amountCents, currency = program.currency } = check(rewardPreviewRequest, await readJson(c))
    const preview = { request: reward, termsCurrency: program.currency, amountCents, currency, at: clock() }
    return c.json({ data: previewReward(preview) })
  })

  app.get('/api/programs/:programId/partners/:partnerId/reward', mayRead, async (c) =>
    c.json({ data: await read(c.get('program'), await partnerIdInPath(c, db)) }),
  )

  app.put('/api/programs/:programId/partners/:partnerId/reward', mayManage, async (c) => {
    const partnerId = await partnerIdInPath(c, db)
    const request = check(rewardRequest, await readJson(c))
    if (request.applyToEarlier) throw new Refusal('conflict', ONLY_PROGRAM, { field: 'applyToEarlier' })
    const write: TermsChange['write'] = (tx, to) => changeReward(tx, { ...to, partnerId, request })
    return c.json({ data: await changeTerms(c, dependencies, { partnerId, replaces: request.replaces, write }) })
  })

  app.delete('/api/programs/:programId/partners/:partnerId/reward', mayManage, async (c) => {
    const partnerId = await partnerIdInPath(c, db)
    const write: TermsChange['write'] = (tx, to) => endCustomReward(tx, { ...to, partnerId })
    return c.json({ data: await changeTerms(c, dependencies, { partnerId, write }) })
  })
}

type RewardAt = { program: Program; partnerId: number | null; at: Date }

const rewardOf = async (db: Database | Tx, { program, partnerId, at }: RewardAt) => {
  const { id: programId, currency } = program
  const general = await termsAt(db, { programId, partnerId: null, at })
  const terms = partnerId === null ? general : await termsAt(db, { programId, partnerId, at })
  return rewardAnswer(terms, { currency, own: terms !== null && terms.version !== general?.version })
}

type TermsChange = {
  partnerId: number | null
  /** The version the caller saw, so that two concurrent changes do not overwrite each other. */
  replaces?: number | null | undefined
  write: (tx: Tx, to: { programId: number; currency: string; at: Date }) => Promise<number>
}

/** Writes new terms with an audit log entry, and returns the reward in effect from then on. */
const changeTerms = (c: Call, { db, clock }: Dependencies, { partnerId, replaces, write }: TermsChange) =>
  inTransaction(db, async (tx) => {
    const { id: programId } = c.get('program')
    const subject = partnerId === null ? 'program reward' : `reward of partner ${partnerId}`
    await lockTerms(tx, programId)
    // Read after locking: a currency change holds this lock too.
    const program = (await findProgram(tx, programId)) ?? c.get('program')
    const at = clock()
    const before = await rewardOf(tx, { program, partnerId, at: clock() })
    if (replaces !== undefined && replaces !== before.version)
      throw new Refusal('conflict', CHANGED_MEANWHILE, { field: 'replaces' })
    await write(tx, { programId, currency: program.currency, at })
    const after = await rewardOf(tx, { program, partnerId, at: clock() })
    const entry = { action: 'reward changed', subject, before, after }
    await note(tx, { programId, userId: c.get('user').id, ...entry, at })
    return after
  })

/** Sets the program's first terms and applies them to everything recorded before. */
const applyToEarlier = async (c: Call, dependencies: Dependencies, request: RewardRequest) => {
  const { db, clock } = dependencies
  const { id: programId } = c.get('program')
  const userId = c.get('user').id
  const saved = await inTransaction(db, async (tx) => {
    await lockTerms(tx, programId)
    const program = (await findProgram(tx, programId)) ?? c.get('program')
    const at = clock()
    const before = await rewardOf(tx, { program, partnerId: null, at: clock() })
    const hasBegun = await beginRewardBackfill(tx, { program, request, userId, at })
    const after = await rewardOf(tx, { program, partnerId: null, at: clock() })
    const entry = { action: 'reward changed', subject: 'program reward', before, after }
    if (hasBegun) await note(tx, { programId, userId, ...entry, at })
    return after
  })
  const backfill = await runBackfill(dependencies, { programId, maxCustomers: MAX_CUSTOMERS })
  return { ...saved, ...(backfill && { earlier: backfillAnswer(backfill) }) }
}
