import { eraseRequest } from '@tributary/contract'
import { redactInbox } from '../../../processor/redact-inbox.ts'
import { eraseCustomer } from '../../../tracking/erase-customer.ts'
import type { App, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

/** POST /api/programs/:programId/customers/erase: what a customer may ask of the merchant by law. */
export const erasure = (app: App, dependencies: Dependencies) =>
  app.post('/api/programs/:programId/customers/erase', requireProgram(dependencies, 'member:manage'), async (c) => {
    const { customerKey, clickId = '' } = check(eraseRequest, await readJson(c))
    const who = customerKey === undefined ? { clickId } : { customerKey }
    const asked = { program: c.get('program'), userId: c.get('user').id, ...who }
    return c.json({ data: await eraseCustomer({ ...dependencies, redactMessages: redactInbox }, asked) })
  })
