import { eraseRequest } from '@tributary/contract'
import { redactInbox } from '../../../processor/redact-inbox.ts'
import { eraseCustomer } from '../../../tracking/erase-customer.ts'
import type { App, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

/** POST /api/programs/:programId/customers/erase: erases a customer's personal data (GDPR). */
export const erasure = (app: App, dependencies: Dependencies) =>
  app.post('/api/programs/:programId/customers/erase', requireProgram(dependencies, 'member:manage'), async (c) => {
    const { customerKey, clickId = '' } = check(eraseRequest, await readJson(c))
    const customer = customerKey === undefined ? { clickId } : { customerKey }
    const request = { program: c.get('program'), userId: c.get('user').id, ...customer }
    return c.json({
      data: await eraseCustomer({ ...dependencies, db: c.get('db'), redactMessages: redactInbox }, request),
    })
  })
