import {
  type CreateGroup,
  changeGroupRequest,
  createGroupRequest,
  type Group,
  isOnWebsites,
  movePartnersRequest,
  rewardRequest,
} from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import type { Database } from '../../../database/connect.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { endCustomReward } from '../../../money/rewards/change-reward.ts'
import { groupTermsAt, lockTerms } from '../../../money/rewards/reward-terms.ts'
import {
  changeGroup,
  countByGroup,
  findGroup,
  insertGroup,
  listGroups,
  markGroupDeleted,
  type PartnerGroup,
} from '../../../partners/groups.ts'
import type { Program } from '../../../programs/programs.ts'
import { Refusal } from '../../../refusal.ts'
import { movePartners } from '../../../tracking/groups/move-partners.ts'
import { checkTierRule } from '../../../tracking/groups/tier-rules.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { answerWhole, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { changeTerms, rewardOf } from '../money/change-terms.ts'
import { changeOwnReward, changeProgramReward } from '../money/rewards.ts'
import { requireProgram } from '../require-session.ts'

const GROUPS = '/api/programs/:programId/groups'
const GROUP = `${GROUPS}/:groupId`

/** Partner groups. Changing one decides what partners are paid, so it requires the same permission as reward terms. */
export const groups = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'program:read')
  const mayManage = requireProgram(dependencies, 'payout:manage')

  app.get(GROUPS, mayRead, async (c) => {
    const db = c.get('db')
    const all = await listGroups(db, c.get('program').id)
    return answerWhole(c, await groupAnswers(db, { program: c.get('program'), groups: all, at: clock() }))
  })

  app.post(GROUPS, mayManage, async (c) => {
    const request = check(createGroupRequest, await readJson(c))
    return c.json({ data: await create(c, dependencies, request) }, 201)
  })

  app.get(GROUP, mayRead, async (c) =>
    c.json({
      data: await answerOf(c.get('db'), {
        program: c.get('program'),
        group: await groupInPath(c, c.get('db')),
        at: clock(),
      }),
    }),
  )

  app.patch(GROUP, mayManage, async (c) => c.json({ data: await change(c, dependencies) }))

  app.delete(GROUP, mayManage, async (c) => c.json({ data: await remove(c, dependencies) }))

  app.post(`${GROUP}/partners`, mayManage, async (c) => {
    const { partnerIds } = check(movePartnersRequest, await readJson(c))
    const { id: programId } = c.get('program')
    const moved = await inTransaction(c.get('db'), async (tx) => {
      await lockTerms(tx, programId)
      const { id: groupId } = await groupInPath(c, tx)
      const unique = [...new Set(partnerIds)]
      return movePartners(tx, { programId, partnerIds: unique, groupId, userId: c.get('user').id, at: clock() })
    })
    return c.json({ data: { moved } })
  })
}

/** Reward terms of groups. The default group's are the program's. */
export const groupRewards = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayManage = requireProgram(dependencies, 'payout:manage')

  app.get(`${GROUP}/reward`, requireProgram(dependencies, 'program:read'), async (c) => {
    const db = c.get('db')
    const owner = ownerOf(await groupInPath(c, db))
    return c.json({ data: await rewardOf(db, { program: c.get('program'), owner, at: clock() }) })
  })

  app.put(`${GROUP}/reward`, mayManage, async (c) => {
    const group = await groupInPath(c, c.get('db'))
    const request = check(rewardRequest, await readJson(c))
    if (group.isDefault) return c.json({ data: await changeProgramReward(c, dependencies, request) })
    if (request.applyToEarlier)
      throw new Refusal('conflict', 'applyToEarlier is only allowed for the default group. Leave it out.', {
        field: 'applyToEarlier',
      })
    return c.json({ data: await changeOwnReward(c, dependencies, { owner: ownerOf(group), request }) })
  })

  app.delete(`${GROUP}/reward`, mayManage, async (c) => {
    const group = await groupInPath(c, c.get('db'))
    if (group.isDefault)
      throw new Refusal(
        'conflict',
        'The default group always has its own terms. Set a reward of null to pay nothing from now on.',
      )
    const owner = ownerOf(group)
    return c.json({ data: await changeTerms(c, dependencies, { owner, write: endCustomReward }) })
  })
}

const ownerOf = ({ id, isDefault }: PartnerGroup) => ({ partnerId: null, groupId: isDefault ? null : id })

const groupInPath = async (c: Call, db: Database | Tx) => {
  const id = orNotFound(pathId(c, 'groupId'), 'group')
  return orNotFound(await findGroup(db, { programId: c.get('program').id, id }), 'group')
}

type AnswerInput = { program: Program; at: Date }

const answerOf = async (db: Database | Tx, { group, ...input }: AnswerInput & { group: PartnerGroup }) =>
  (await groupAnswers(db, { ...input, groups: [group] }))[0]

const groupAnswers = async (
  db: Database | Tx,
  { program, groups, at }: AnswerInput & { groups: PartnerGroup[] },
): Promise<Group[]> => {
  const partners = await countByGroup(db, { programId: program.id, archived: false })
  const answers: Group[] = []
  for (const { createdAt, ...group } of groups) {
    const reward = await rewardOf(db, { program, owner: ownerOf({ ...group, createdAt }), at })
    answers.push({ ...group, partners: partners.get(group.id) ?? 0, reward, createdAt: createdAt.toISOString() })
  }
  return answers
}

const create = (c: Call, { clock }: Dependencies, { name, landingPages = [], tierRule = null }: CreateGroup) =>
  inTransaction(c.get('db'), async (tx) => {
    const program = c.get('program')
    const { id: programId } = program
    refuseOtherPages(program, landingPages)
    await lockTerms(tx, programId)
    checkTierRule(await listGroups(tx, programId), { id: null, rule: tierRule })
    const at = clock()
    const group = await insertGroup(tx, { programId, name, landingPages, tierRule, createdAt: at })
    const entry = { action: 'group created', subject: `group ${group.id}`, after: { name, landingPages, tierRule } }
    await recordAudit(tx, { programId, userId: c.get('user').id, ...entry, at })
    return answerOf(tx, { program, group, at })
  })

const change = async (c: Call, { clock }: Dependencies) => {
  const program = c.get('program')
  const { id: programId } = program
  const request = check(changeGroupRequest, await readJson(c))
  refuseOtherPages(program, request.landingPages ?? [])
  return inTransaction(c.get('db'), async (tx) => {
    await lockTerms(tx, programId)
    const before = await groupInPath(c, tx)
    const { id } = before
    checkTierRule(await listGroups(tx, programId), { id, rule: request.tierRule ?? null })
    const at = clock()
    const group = await changeGroup(tx, { programId, id, change: request })
    const changes = changedFields({ ...before }, request)
    const entry = { action: 'group changed', subject: `group ${id}`, ...changes, at }
    if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
    return answerOf(tx, { program, group, at })
  })
}

const remove = (c: Call, { clock }: Dependencies) =>
  inTransaction(c.get('db'), async (tx) => {
    const program = c.get('program')
    const { id: programId, currency } = program
    await lockTerms(tx, programId)
    const group = await groupInPath(c, tx)
    await refuseUsedGroup(tx, { programId, group })
    const at = clock()
    const answer = await answerOf(tx, { program, group, at })
    const terms = await groupTermsAt(tx, { programId, groupId: group.id, at })
    if (terms?.groupId === group.id) await endCustomReward(tx, { programId, ...ownerOf(group), currency, at })
    await markGroupDeleted(tx, { programId, id: group.id, at })
    const before = { name: group.name, landingPages: group.landingPages, tierRule: group.tierRule }
    const entry = { action: 'group deleted', subject: `group ${group.id}`, before, at }
    await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
    return answer
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
