import { eraseRequest } from '@tributary/contract'
import { eraseCustomer } from '../../tracking/erase-customer.ts'
import type { App, Dependencies } from '../context.ts'
import { check, readJson } from '../read-json.ts'
import { requireProgram } from './require-session.ts'

/** POST /api/programs/:programId/customers/erase: what a customer may ask of the merchant by law. */
export const erasure = (app: App, dependencies: Dependencies) =>
  app.post('/api/programs/:programId/customers/erase', requireProgram(dependencies, 'member:manage'), async (c) => {
    const { customerKey, clickId = '' } = check(eraseRequest, await readJson(c))
    const who = customerKey === undefined ? { clickId } : { customerKey }
    const by = { programId: c.get('program').id, userId: c.get('user').id }
    return c.json({ data: await eraseCustomer(dependencies, { ...by, ...who }) })
  })
