import { PORTAL_AGREEMENT } from '@tributary/contract/declared'
import { runs } from '../../platform/runs.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { Refusal } from '../../refusal.ts'
import { acceptAgreement } from './accept-agreement.ts'
import { acceptanceOf } from './portal-program.ts'

export const portalAgreement = runs(
  PORTAL_AGREEMENT,
  {},
  {
    get: ({ db, program }) => findAgreement(db, program.id),

    accept: async ({ tx, program, partner: { partnerId }, actor, clock, body: { version } }) => {
      const key = { programId: program.id, partnerId }
      const agreement = await findAgreement(tx, program.id)
      if (agreement?.version !== version)
        throw new Refusal('conflict', 'The program agreement has changed. Reload the page and read the new version.', {
          field: 'version',
        })
      await acceptAgreement(tx, { ...key, userId: actor.id, agreement, at: clock() })
      return acceptanceOf(tx, { ...key, agreement })
    },
  },
)
