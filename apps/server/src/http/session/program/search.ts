import { programSearchQuery } from '@tributary/contract'
import { searchTerm } from '../../../customers/search-term.ts'
import { searchProgram } from '../../../views/search-program.ts'
import type { App, Dependencies } from '../../context.ts'
import { answerWhole } from '../../lists.ts'
import { check } from '../../read-json.ts'
import { hasPermission, requireProgram } from '../require-session.ts'

/** Partners, customers, sales and links, for the command palette. */
export const search = (app: App, dependencies: Dependencies) => {
  const { hashKey } = dependencies
  app.get('/api/programs/:programId/search', requireProgram(dependencies, 'tracking:read'), async (c) => {
    const db = c.get('db')
    const { q } = check(programSearchQuery, c.req.query())
    const term = searchTerm(hashKey, q.trim() || q)
    if (!term) return answerWhole(c, [])
    const seesCustomers = await hasPermission(c, db, 'tracking:list')
    return answerWhole(c, await searchProgram(db, { programId: c.get('program').id, term, seesCustomers }))
  })
}
