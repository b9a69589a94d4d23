import { acceptAgreementRequest } from '@tributary/contract'
import { inTransaction } from '../../database/transaction.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { Refusal } from '../../refusal.ts'
import { agreementOfPartner } from '../answers/portal-program.ts'
import type { App, Dependencies } from '../context.ts'
import { acceptAgreement } from '../joining.ts'
import { check, readJson } from '../read-json.ts'
import { requirePartner } from './require-partner.ts'

/** The program agreement, for partners to read and accept. */
export const portalAgreement = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const asPartner = requirePartner(dependencies)
  const path = '/api/portal/programs/:programId/agreement'

  app.get(path, asPartner, async (c) => c.json({ data: await findAgreement(c.get('db'), c.get('program').id) }))

  app.post(`${path}/accept`, asPartner, async (c) => {
    const db = c.get('db')
    const { version } = check(acceptAgreementRequest, await readJson(c))
    const { id: programId } = c.get('program')
    const { partnerId } = c.get('partner')
    await inTransaction(db, async (tx) => {
      const agreement = await findAgreement(tx, programId)
      if (agreement?.version !== version)
        throw new Refusal('conflict', 'The program agreement has changed. Reload the page and read the new version.', {
          field: 'version',
        })
      await acceptAgreement(tx, { programId, partnerId, userId: c.get('user').id, agreement, at: clock() })
    })
    return c.json({ data: await agreementOfPartner(db, { programId, partnerId }) })
  })
}
