import { SEARCH } from '@tributary/contract/declared'
import { searchTerm } from '../../customers/search-term.ts'
import { hasPermission } from '../../platform/access.ts'
import { runs } from '../../platform/runs.ts'
import { searchProgram } from '../search-program.ts'

export const search = ({ hashKey }: { hashKey: string }) =>
  runs(
    SEARCH,
    {},
    {
      find: async ({ db, program: { id: programId, workspaceId }, actor: user, query: { q } }) => {
        const term = searchTerm(hashKey, q.trim() || q)
        if (!term) return []
        const seesCustomers = await hasPermission(db, { user, workspaceId, permission: 'tracking:list' })
        return searchProgram(db, { programId, term, seesCustomers })
      },
    },
  )
