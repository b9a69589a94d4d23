import { type RewardRequest, rewardPreviewRequest, rewardRequest } from '@tributary/contract'
import { inTransaction } from '../../../database/transaction.ts'
import { changeProgramReward } from '../../../money/operations/change-program-reward.ts'
import { endTerms, PROGRAM_TERMS, rewardOf, setTerms } from '../../../money/operations/change-terms.ts'
import { previewReward } from '../../../money/rewards/preview-reward.ts'
import type { TermsOwner } from '../../../money/rewards/reward-terms.ts'
import { auditFor } from '../../../platform/audit.ts'
import { Refusal } from '../../../refusal.ts'
import { findEarlierEvents } from '../../../tracking/sales/apply-to-earlier.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { partnerIdInPath } from '../partners/partners.ts'
import { requireProgram } from '../require-session.ts'

const ONLY_PROGRAM = "applyToEarlier is not allowed for a partner's custom terms. Leave it out."

/** Reward terms of a program and custom terms of partners. */
export const rewards = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'program:read')
  const mayManage = requireProgram(dependencies, 'payout:manage')
  const read = (c: Call, owner: TermsOwner) => rewardOf(c.get('db'), { program: c.get('program'), owner, at: clock() })

  app.get('/api/programs/:programId/reward', mayRead, async (c) => c.json({ data: await read(c, PROGRAM_TERMS) }))

  app.put('/api/programs/:programId/reward', mayManage, async (c) =>
    c.json({ data: await changeOwnReward(c, dependencies, check(rewardRequest, await readJson(c))) }),
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
    const change = { ...changeBy(c, dependencies), owner: { partnerId, groupId: null }, request }
    return c.json({ data: await inTransaction(c.get('db'), (tx) => setTerms(tx, change)) })
  })

  app.delete('/api/programs/:programId/partners/:partnerId/reward', mayManage, async (c) => {
    const partnerId = await partnerIdInPath(c, c.get('db'))
    const change = { ...changeBy(c, dependencies), owner: { partnerId, groupId: null } }
    return c.json({ data: await inTransaction(c.get('db'), (tx) => endTerms(tx, change)) })
  })
}

const changeBy = (c: Call, { clock }: Dependencies) => {
  const program = c.get('program')
  return { program, clock, audit: auditFor({ programId: program.id }, { userId: c.get('user').id }) }
}

const changeOwnReward = (c: Call, dependencies: Dependencies, request: RewardRequest) => {
  const { program, audit } = changeBy(c, dependencies)
  const tools = { ...dependencies, db: c.get('db') }
  return changeProgramReward(tools, { program, request, userId: c.get('user').id, audit })
}
