import { PARTNER_REWARDS, REWARDS } from '@tributary/contract/declared'
import { findPartner } from '../../partners/partner-users.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { findSaleToPreview } from '../../sales/find-sales.ts'
import { findEarlierEvents } from '../../tracking/sales/apply-to-earlier.ts'
import { previewReward } from '../rewards/preview-reward.ts'
import { previewSale } from '../rewards/preview-sale.ts'
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

      previewSale: async ({ tx, program, clock, body: request }) => {
        const { saleId, example } = request
        const found = example ? undefined : await findSaleToPreview(tx, { programId: program.id, saleId })
        if (saleId !== undefined && !found)
          throw new Refusal('not_found', 'This sale does not exist. Check saleId.', { field: 'saleId' })
        return previewSale(tx, { program, request, sale: found ?? null, at: clock() })
      },
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
