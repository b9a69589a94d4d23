import { GROUP_MEMBERS, GROUP_REWARDS } from '@tributary/contract/declared'
import { inTransaction } from '../../database/transaction.ts'
import { changeProgramReward } from '../../money/operations/change-program-reward.ts'
import { endTerms, rewardInEffect, setTerms } from '../../money/operations/change-terms.ts'
import { lockTerms } from '../../money/rewards/reward-terms.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { movePartners } from '../../tracking/groups/move-partners.ts'
import { findGroup } from '../groups.ts'
import { groupNow, ownerOf } from './groups.ts'

const THINGS = { groupId: { what: 'group', find: findGroup } }

export const groupRewards = ({ hashKey }: { hashKey: string }) =>
  runs(GROUP_REWARDS, THINGS, {
    get: ({ db, program, group, clock }) => rewardInEffect(db, { program, owner: ownerOf(group), at: clock() }),

    set: {
      // The default group's terms are the program's, which can be applied to earlier events, customer by customer.
      ownTransactions: ({ db, program, group, actor, clock, audit, body: request }) => {
        if (group.isDefault)
          return changeProgramReward({ db, clock, hashKey }, { program, request, userId: actor.id, audit })
        if (request.applyToEarlier)
          throw new Refusal('conflict', 'applyToEarlier is only allowed for the default group. Leave it out.', {
            field: 'applyToEarlier',
          })
        return inTransaction(db, (tx) => setTerms(tx, { program, owner: ownerOf(group), request, clock, audit }))
      },
    },

    remove: ({ tx, program, group, clock, audit }) => {
      if (group.isDefault)
        throw new Refusal(
          'conflict',
          'The default group always has its own terms. Set a reward of null to pay nothing from now on.',
        )
      return endTerms(tx, { program, owner: ownerOf(group), clock, audit })
    },
  })

export const groupMembers = runs(GROUP_MEMBERS, THINGS, {
  move: async ({ tx, program, params, actor, clock, body }) => {
    const { id: programId } = program
    await lockTerms(tx, programId)
    const { id: groupId } = await groupNow(tx, { programId, id: params.groupId })
    const partnerIds = [...new Set(body.partnerIds)]
    return { moved: await movePartners(tx, { programId, partnerIds, groupId, userId: actor.id, at: clock() }) }
  },
})
