import { type ChangeProgram, type CreateProgram, changeProgramRequest, createProgramRequest } from '@tributary/contract'
import { SETTING_PERMISSIONS } from '@tributary/contract/setting-permissions'
import { listWorkspaces } from '../../../accounts/workspaces.ts'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import type { Clock } from '../../../clock.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { changeReward, rewardAnswer } from '../../../money/rewards/change-reward.ts'
import { hasTermsWithAmounts, lockTerms, termsAt } from '../../../money/rewards/reward-terms.ts'
import { createDefaultGroup } from '../../../partners/groups.ts'
import {
  changeProgram,
  createProgram,
  findProgram,
  listPrograms,
  lockProgram,
  type Program,
} from '../../../programs/programs.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Dependencies, SignedInUser } from '../../context.ts'
import { answerList, readPage } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requirePermission, requireProgram } from '../require-session.ts'
import { programAnswers } from './program-answers.ts'

const ALL_WORKSPACES = { page: 1, pageSize: 1000 }

export const programs = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const may = (permission: Parameters<typeof requireProgram>[1]) => requireProgram(dependencies, permission)
  const answerOf = async (program: Program) => (await programAnswers(db, { programs: [program], at: clock() }))[0]

  app.post('/api/programs', async (c) => {
    const { workspaceId, reward, ...settings } = check(createProgramRequest, await readJson(c))
    const user = c.get('user')
    const { id: userId } = user
    const workspace = workspaceId ?? (await onlyWorkspaceOf(dependencies, userId))
    for (const permission of ['program:create', ...(reward ? ['payout:manage' as const] : [])] as const)
      await requirePermission(dependencies, { user, workspaceId: workspace, permission })
    const program = await inTransaction(db, async (tx) => {
      const at = clock()
      const created = await createProgram(tx, { ...settings, workspaceId: workspace, createdAt: at })
      const { id: programId, createdAt: _, formerSettings: __, ...after } = created
      await createDefaultGroup(tx, { programId, createdAt: at })
      await recordAudit(tx, { programId, userId, action: 'program created', subject: 'program', after, at })
      if (reward) await giveFirstReward(tx, { program: created, reward, userId, at })
      return created
    })
    return c.json({ data: await answerOf(program) }, 201)
  })

  app.get('/api/programs', async (c) => {
    const page = readPage(c)
    const workspaces = await listWorkspaces(db, { userId: c.get('user').id, ...ALL_WORKSPACES })
    const workspaceIds = workspaces.rows.map((row) => row.id)
    const { rows, total } = await listPrograms(db, { workspaceIds, ...page })
    return answerList(c, await programAnswers(db, { programs: rows, at: clock() }), { ...page, total })
  })

  app.get('/api/programs/:programId', may('program:read'), async (c) =>
    c.json({ data: await answerOf(c.get('program')) }),
  )

  app.patch('/api/programs/:programId', may('program:update'), async (c) => {
    const before = c.get('program')
    const change = check(changeProgramRequest, await readJson(c))
    const { id: programId } = before
    const program = await inTransaction(c.get('db'), async (tx) => {
      await lockProgram(tx, programId)
      const current = (await findProgram(tx, programId)) ?? before
      await requireSettingPermissions(tx, {
        before: current,
        change,
        user: c.get('user'),
      })
      if (change.currency) await refuseOtherCurrency(tx, { programId, currency: change.currency, clock })
      const changes = changedFields({ ...current }, change)
      if (!changes) return current
      const at = clock()
      const entry = { action: 'program changed', subject: 'program', ...changes, at }
      await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return changeProgram(tx, current, { change, at })
    })
    return c.json({ data: await answerOf(program) })
  })
}

type ChangeBy = { before: Program | undefined; change: ChangeProgram; user: SignedInUser }

const requireSettingPermissions = async (tx: Tx, { before, change, user }: ChangeBy) => {
  const changes = before && changedFields({ ...before }, change)
  const permissions = Object.keys(changes?.after ?? {}).map((name) => SETTING_PERMISSIONS[name as keyof ChangeProgram])
  for (const permission of new Set(permissions))
    await requirePermission({ db: tx }, { user, workspaceId: before?.workspaceId ?? '', permission })
}

/** The currency cannot change while reward terms contain flat amounts in it. */
const refuseOtherCurrency = async (
  tx: Tx,
  { programId, currency, clock }: { programId: number; currency: string; clock: Clock },
) => {
  // The same lock order as connecting a processor and crediting earlier payments.
  await lockProgram(tx, programId)
  await lockTerms(tx, programId)
  const program = await findProgram(tx, programId)
  if (program?.currency === currency || !(await hasTermsWithAmounts(tx, { programId, at: clock() }))) return
  throw new Refusal(
    'conflict',
    `currency cannot change while reward terms of the program, a group or a partner contain amounts in ${program?.currency}. Remove flat amounts and the minimum payout, change the currency, then set them in ${currency}.`,
    { field: 'currency' },
  )
}

type FirstReward = { program: Program; reward: NonNullable<CreateProgram['reward']>; userId: string; at: Date }

/** In the same transaction as the program, so that no sale can arrive before its terms. */
const giveFirstReward = async (tx: Tx, { program, reward, userId, at }: FirstReward) => {
  const { id: programId, currency } = program
  await changeReward(tx, { programId, partnerId: null, groupId: null, currency, request: reward, at })
  const terms = await termsAt(tx, { programId, partnerId: null, at })
  const after = rewardAnswer(terms, { currency, own: false })
  await recordAudit(tx, {
    programId,
    userId,
    action: 'reward terms changed',
    subject: 'program reward terms',
    after,
    at,
  })
}

const onlyWorkspaceOf = async ({ db }: Dependencies, userId: string) => {
  const { rows, total } = await listWorkspaces(db, { userId, page: 1, pageSize: 1 })
  if (rows[0] && total === 1) return rows[0].id
  throw new Refusal(
    'invalid_request',
    'workspaceId is missing. Send the ID of the workspace to create the program in.',
    {
      field: 'workspaceId',
    },
  )
}
