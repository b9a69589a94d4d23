import { PORTAL_CODES } from '@tributary/contract/declared'
import type { Partner } from '../../platform/actor.ts'
import { runs } from '../../platform/runs.ts'
import { lockProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { codesOfPartner, countRequests, insertCode, refuseTakenCode } from '../promotion-codes.ts'

/** Requests of one partner that wait for a decision. */
const MAX_REQUESTS = 5

/** Lists a partner's codes, and requests one if the program allows it. */
export const portalCodes = runs(
  PORTAL_CODES,
  {},
  {
    list: async ({ db, program, partner: { partnerId }, query }) => {
      const { rows, total } = await codesOfPartner(db, { ...query, programId: program.id, partnerId })
      return {
        rows: rows.map(({ id, code, active, isOwner, requested, uses, revenue, commissions, createdAt }) => ({
          id,
          code,
          active: active && isOwner,
          requested: requested && isOwner,
          uses,
          revenue,
          commissions,
          createdAt,
        })),
        total,
      }
    },

    request: {
      allow: ({ program, partner }) => refuseWhoMayNot(program, partner),
      run: async ({ tx, program: { id: programId }, partner: { partnerId }, clock, audit, body: { code } }) => {
        // Of concurrent calls, each sees the requests of those before it.
        await lockProgram(tx, programId)
        await refuseTakenCode(tx, { programId, code })
        if ((await countRequests(tx, { programId, partnerId })) >= MAX_REQUESTS)
          throw new Refusal(
            'conflict',
            `You have already requested ${MAX_REQUESTS} codes. Wait for the program to decide.`,
          )
        const createdAt = clock()
        const request = {
          programId,
          code,
          partnerId,
          active: false,
          requested: true,
          processor: null,
          externalId: null,
          createdAt,
        }
        const { id } = await insertCode(tx, request)
        await audit(tx, {
          action: 'code requested',
          subject: `promotion code ${id}`,
          after: { code, partnerId },
          at: createdAt,
        })
        return { id, code, active: false, requested: true, uses: 0, revenue: [], commissions: [], createdAt }
      },
    },
  },
)

const refuseWhoMayNot = ({ partnersRequestCodes }: Program, { archived, status }: Partner) => {
  if (!partnersRequestCodes)
    throw new Refusal('forbidden', 'Partners can’t request codes in this program. Contact the program.')
  if (archived)
    throw new Refusal('forbidden', 'The program has archived you, so you can’t request codes. Contact the program.')
  if (status !== 'approved') throw new Refusal('forbidden', 'You can request codes once the program has approved you.')
}
