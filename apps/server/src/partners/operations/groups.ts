import { type Group, isOnWebsites } from '@tributary/contract'
import { GROUPS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { rewardOf } from '../../money/operations/change-terms.ts'
import { endCustomReward } from '../../money/rewards/change-reward.ts'
import { groupTermsAt, lockTerms } from '../../money/rewards/reward-terms.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { checkTierRule } from '../../tracking/groups/tier-rules.ts'
import {
  changeGroup,
  countByGroup,
  findGroup,
  insertGroup,
  listGroups,
  markGroupDeleted,
  type PartnerGroup,
} from '../groups.ts'

export const groups = runs(
  GROUPS,
  { groupId: { what: 'group', find: findGroup } },
  {
    list: async ({ db, program, clock }) =>
      groupAnswers(db, { program, groups: await listGroups(db, program.id), at: clock() }),

    create: async ({ tx, program, clock, audit, body: { name, landingPages = [], tierRule = null } }) => {
      const { id: programId } = program
      refuseOtherPages(program, landingPages)
      await lockTerms(tx, programId)
      checkTierRule(await listGroups(tx, programId), { id: null, rule: tierRule })
      const at = clock()
      const group = await insertGroup(tx, { programId, name, landingPages, tierRule, createdAt: at })
      const after = { name, landingPages, tierRule }
      await audit(tx, { action: 'group created', subject: `group ${group.id}`, after, at })
      return answerOf(tx, { program, group, at })
    },

    get: ({ db, program, group, clock }) => answerOf(db, { program, group, at: clock() }),

    change: async ({ tx, program, params, clock, audit, body }) => {
      const { id: programId } = program
      refuseOtherPages(program, body.landingPages ?? [])
      await lockTerms(tx, programId)
      const before = await groupNow(tx, { programId, id: params.groupId })
      const { id } = before
      checkTierRule(await listGroups(tx, programId), { id, rule: body.tierRule ?? null })
      const at = clock()
      const group = await changeGroup(tx, { programId, id, change: body })
      const changes = changedFields({ ...before }, body)
      if (changes) await audit(tx, { action: 'group changed', subject: `group ${id}`, ...changes, at })
      return answerOf(tx, { program, group, at })
    },

    remove: async ({ tx, program, params, clock, audit }) => {
      const { id: programId, currency } = program
      await lockTerms(tx, programId)
      const group = await groupNow(tx, { programId, id: params.groupId })
      await refuseUsedGroup(tx, { programId, group })
      const at = clock()
      const answer = await answerOf(tx, { program, group, at })
      const terms = await groupTermsAt(tx, { programId, groupId: group.id, at })
      if (terms?.groupId === group.id) await endCustomReward(tx, { programId, ...ownerOf(group), currency, at })
      await markGroupDeleted(tx, { programId, id: group.id, at })
      const before = { name: group.name, landingPages: group.landingPages, tierRule: group.tierRule }
      await audit(tx, { action: 'group deleted', subject: `group ${group.id}`, before, at })
      return answer
    },
  },
)

/** Whose terms the group's are. */
export const ownerOf = ({ id, isDefault }: PartnerGroup) => ({ partnerId: null, groupId: isDefault ? null : id })

/** As it is while the terms are locked. */
export const groupNow = async (tx: Tx, key: { programId: number; id: number }) =>
  orNotFound(await findGroup(tx, key), 'group')

type AnswerInput = { program: Program; at: Date }

const answerOf = async (db: Database | Tx, { program, group, at }: AnswerInput & { group: PartnerGroup }) => {
  const partners = await countByGroup(db, { programId: program.id, archived: false })
  return answerWith(db, { program, group, at, partners })
}

const groupAnswers = async (db: Database, { groups, ...input }: AnswerInput & { groups: PartnerGroup[] }) => {
  const partners = await countByGroup(db, { programId: input.program.id, archived: false })
  const answers: Group[] = []
  for (const group of groups) answers.push(await answerWith(db, { ...input, group, partners }))
  return answers
}

const answerWith = async (
  db: Database | Tx,
  { program, group, at, partners }: AnswerInput & { group: PartnerGroup; partners: Map<number, number> },
): Promise<Group> => ({
  ...group,
  partners: partners.get(group.id) ?? 0,
  reward: await rewardOf(db, { program, owner: ownerOf(group), at }),
  createdAt: group.createdAt.toISOString(),
})

const refuseUsedGroup = async (tx: Tx, { programId, group }: { programId: number; group: PartnerGroup }) => {
  if (group.isDefault) throw new Refusal('conflict', 'The default group can’t be deleted.')
  const partners = (await countByGroup(tx, { programId, archived: true })).get(group.id) ?? 0
  if (partners > 0)
    throw new Refusal(
      'conflict',
      `${group.name} has ${partners} ${partners === 1 ? 'partner' : 'partners'}, archived ones included. Move them to another group first.`,
    )
  const source = (await listGroups(tx, programId)).find(({ tierRule }) => tierRule?.moveTo === group.id)
  if (source)
    throw new Refusal(
      'conflict',
      `The tier rule of ${source.name} moves partners to ${group.name}. Change that rule first.`,
    )
}

const refuseOtherPages = ({ websites }: Program, landingPages: string[]) => {
  const other = landingPages.find((page) => !isOnWebsites(page, websites))
  if (other === undefined) return
  throw new Refusal(
    'invalid_request',
    `landingPages must be on the program's websites (${websites.join(', ')}). ${other} is not.`,
    { field: 'landingPages' },
  )
}
