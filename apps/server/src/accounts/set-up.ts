import type { Database } from '../database/connect.ts'

export type SetUp = 'empty' | 'demo' | 'in use'

/** How far an instance is: nobody has an account, the demo's person alone has one, or people do. */
export const setUpOf = async (db: Database): Promise<SetUp> => {
  const kinds = await db.selectFrom('users').select('isDemo').distinct().execute()
  if (kinds.some(({ isDemo }) => !isDemo)) return 'in use'
  return kinds.length > 0 ? 'demo' : 'empty'
}
