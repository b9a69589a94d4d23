import { MERCHANT_DETAILS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import { runs } from '../../platform/runs.ts'
import { findMerchantDetails, setMerchantDetails } from '../legal-details.ts'
import { lockProgram } from '../programs.ts'

/** The merchant's legal details, printed on statements. */
export const merchantDetails = runs(
  MERCHANT_DETAILS,
  {},
  {
    get: ({ db, program }) => findMerchantDetails(db, program.id),

    set: async ({ tx, program: { id: programId }, clock, audit, body: details }) => {
      await lockProgram(tx, programId)
      const at = clock()
      const before = await findMerchantDetails(tx, programId)
      const changes = changedFields({ ...before }, details)
      if (before && !changes) return before
      await audit(tx, { action: 'legal details changed', subject: 'program', ...changes, at })
      return setMerchantDetails(tx, { programId, ...details, at })
    },
  },
)
