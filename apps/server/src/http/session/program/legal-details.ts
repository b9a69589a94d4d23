import { merchantDetailsRequest } from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { findMerchantDetails, setMerchantDetails } from '../../../programs/legal-details.ts'
import { lockProgram } from '../../../programs/programs.ts'
import type { App, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

const PATH = '/api/programs/:programId/legal-details'

/** The merchant's legal details, printed on statements. */
export const legalDetails = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies

  app.get(PATH, requireProgram(dependencies, 'program:read'), async (c) =>
    c.json({ data: await findMerchantDetails(c.get('db'), c.get('program').id) }),
  )

  app.put(PATH, requireProgram(dependencies, 'program:update'), async (c) => {
    const details = check(merchantDetailsRequest, await readJson(c))
    const programId = c.get('program').id
    const at = clock()
    const after = await inTransaction(c.get('db'), async (tx) => {
      await lockProgram(tx, programId)
      const before = await findMerchantDetails(tx, programId)
      const changes = changedFields({ ...before }, details)
      if (before && !changes) return before
      const entry = { action: 'legal details changed', subject: 'program', ...changes, at }
      await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return setMerchantDetails(tx, { programId, ...details, at })
    })
    return c.json({ data: after })
  })
}
