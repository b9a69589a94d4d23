import type { ChangeProgram, CreateProgram, RewardAnswer } from '@tributary/contract'
import { PROGRAMS } from '@tributary/contract/declared'
import { SETTING_PERMISSIONS } from '@tributary/contract/setting-permissions'
import { findOnlyWorkspaceId, listWorkspaces } from '../../accounts/workspaces.ts'
import { changedFields } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { PROGRAM_TERMS, rewardOf } from '../../money/operations/change-terms.ts'
import { changeReward, rewardAnswer } from '../../money/rewards/change-reward.ts'
import { allTermsAt, hasTermsWithAmounts, lockTerms } from '../../money/rewards/reward-terms.ts'
import { createDefaultGroup } from '../../partners/groups.ts'
import { requirePermission } from '../../platform/access.ts'
import type { SignedInUser } from '../../platform/actor.ts'
import { type Audit, auditFor } from '../../platform/audit.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { changeProgram, createProgram, findProgram, listPrograms, lockProgram, type Program } from '../programs.ts'

const ALL_WORKSPACES = { page: 1, pageSize: 1000 }

export const programs = runs(
  PROGRAMS,
  {},
  {
    create: async ({ tx, actor, clock, body: { reward, ...settings } }) => {
      const workspaceId = settings.workspaceId ?? (await onlyWorkspaceOf(tx, actor.id))
      const permissions = ['program:create', ...(reward ? ['payout:manage' as const] : [])] as const
      for (const permission of permissions) await requirePermission(tx, { user: actor, workspaceId, permission })
      const at = clock()
      const program = await createProgram(tx, { ...settings, workspaceId, createdAt: at })
      const { id: programId, createdAt: _, formerSettings: __, ...after } = program
      await createDefaultGroup(tx, { programId, createdAt: at })
      const audit = auditFor({ programId }, { userId: actor.id })
      await audit(tx, { action: 'program created', subject: 'program', after, at })
      if (reward) await setFirstReward(tx, { program, reward, audit, at })
      return answerOf(tx, program, at)
    },

    list: async ({ db, actor, clock, query: page }) => {
      const at = clock()
      const workspaces = await listWorkspaces(db, { userId: actor.id, ...ALL_WORKSPACES })
      const { rows, total } = await listPrograms(db, { workspaceIds: workspaces.rows.map(({ id }) => id), ...page })
      const terms = await allTermsAt(
        db,
        rows.map(({ id }) => ({ programId: id, partnerId: null, at })),
      )
      const rewardIn = ({ currency }: Program, index: number) =>
        rewardAnswer(terms[index] ?? null, { currency, own: false })
      return { rows: rows.map((program, index) => withReward(program, rewardIn(program, index))), total }
    },

    get: ({ db, program, clock }) => answerOf(db, program, clock()),

    change: async ({ tx, program, actor, clock, audit, body: change }) => {
      const { id: programId, workspaceId } = program
      await lockProgram(tx, programId)
      const before = (await findProgram(tx, programId)) ?? program
      const changes = changedFields({ ...before }, change)
      await requireSettingPermissions(tx, { user: actor, workspaceId, changed: changes?.after ?? {} })
      if (change.currency) await refuseOtherCurrency(tx, { program: before, currency: change.currency, clock })
      const at = clock()
      if (!changes) return answerOf(tx, before, at)
      await audit(tx, { action: 'program changed', subject: 'program', ...changes, at })
      return answerOf(tx, await changeProgram(tx, before, { change, at }), at)
    },
  },
)

const answerOf = async (db: Database | Tx, program: Program, at: Date) =>
  withReward(program, await rewardOf(db, { program, owner: PROGRAM_TERMS, at }))

const withReward = ({ formerSettings: _, ...program }: Program, reward: RewardAnswer) => ({ ...program, reward })

type SettingsChange = { user: SignedInUser; workspaceId: string; changed: object }

const requireSettingPermissions = async (tx: Tx, { changed, ...access }: SettingsChange) => {
  const permissions = Object.keys(changed).map((name) => SETTING_PERMISSIONS[name as keyof ChangeProgram])
  for (const permission of new Set(permissions)) await requirePermission(tx, { ...access, permission })
}

type CurrencyChange = { program: Program; currency: string; clock: Clock }

/** The currency cannot change while reward terms contain flat amounts in it. The caller has locked the program. */
const refuseOtherCurrency = async (tx: Tx, { program, currency, clock }: CurrencyChange) => {
  // After the program: the same lock order as connecting a processor and crediting earlier payments.
  await lockTerms(tx, program.id)
  if (program.currency === currency || !(await hasTermsWithAmounts(tx, { programId: program.id, at: clock() }))) return
  throw new Refusal(
    'conflict',
    `currency cannot change while reward terms of the program, a group or a partner contain amounts in ${program.currency}. Remove flat amounts and the minimum payout, change the currency, then set them in ${currency}.`,
    { field: 'currency' },
  )
}

type FirstReward = { program: Program; reward: NonNullable<CreateProgram['reward']>; audit: Audit; at: Date }

/** In the same transaction as the program, so that no sale can arrive before its terms. */
const setFirstReward = async (tx: Tx, { program, reward, audit, at }: FirstReward) => {
  const { id: programId, currency } = program
  await changeReward(tx, { programId, ...PROGRAM_TERMS, currency, request: reward, at })
  const after = await rewardOf(tx, { program, owner: PROGRAM_TERMS, at })
  await audit(tx, { action: 'reward terms changed', subject: 'program reward terms', after, at })
}

const onlyWorkspaceOf = async (tx: Tx, userId: string) => {
  const id = await findOnlyWorkspaceId(tx, userId)
  if (id !== null) return id
  throw new Refusal(
    'invalid_request',
    'workspaceId is missing. Send the ID of the workspace to create the program in.',
    { field: 'workspaceId' },
  )
}
