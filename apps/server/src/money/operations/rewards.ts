import { PARTNER_REWARDS, REWARDS } from '@tributary/contract/declared'
import { findPartner } from '../../partners/partner-users.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { findEarlierEvents } from '../../tracking/sales/apply-to-earlier.ts'
import { previewSale } from '../../tracking/sales/preview-sale.ts'
import { previewReward } from '../rewards/preview-reward.ts'
import { changeProgramReward } from './change-program-reward.ts'
import { endTerms, PROGRAM_TERMS, rewardInEffect, setTerms } from './change-terms.ts'

/** Reward terms of a program. */
export const rewards = ({ hashKey }: { hashKey: string }) =>
  runs(
    REWARDS,
    {},
    {
      get: ({ db, program, clock }) => rewardInEffect(db, { program, owner: PROGRAM_TERMS, at: clock() }),

      set: {
        // Applied to earlier events customer by customer.
        ownTransactions: ({ db, program, actor, clock, audit, body: request }) =>
          changeProgramReward({ db, clock, hashKey }, { program, request, userId: actor.id, audit }),
      },

      earlier: ({ db, program }) => findEarlierEvents(db, program.id),

      preview: {
        // Reads and writes nothing.
        ownTransactions: async ({ program: { currency: termsCurrency }, clock, body }) => {
          const { reward: request, amountCents, currency = termsCurrency } = body
          return previewReward({ request, termsCurrency, amountCents, currency, at: clock() })
        },
      },

      previewSale: ({ tx, program, clock, body: request }) => previewSale(tx, { program, request, at: clock() }),
    },
  )

/** Custom terms of partners. */
export const partnerRewards = runs(
  PARTNER_REWARDS,
  { partnerId: { what: 'partner', find: findPartner } },
  {
    get: ({ db, program, params, clock }) => rewardInEffect(db, { program, owner: ownerOf(params), at: clock() }),

    set: ({ tx, program, params, clock, audit, body: request }) => {
      if (request.applyToEarlier)
        throw new Refusal('conflict', "applyToEarlier is not allowed for a partner's custom terms. Leave it out.", {
          field: 'applyToEarlier',
        })
      return setTerms(tx, { program, owner: ownerOf(params), request, clock, audit })
    },

    remove: ({ tx, program, params, clock, audit }) => endTerms(tx, { program, owner: ownerOf(params), clock, audit }),
  },
)

const ownerOf = ({ partnerId }: { partnerId: number }) => ({ partnerId, groupId: null })
