import type { Database } from '../database/connect.ts'

export type SetupState = 'empty' | 'demo' | 'in use'

/** Whether the instance has no accounts, only the demo account, or real ones. */
export const readSetupState = async (db: Database): Promise<SetupState> => {
  const kinds = await db.selectFrom('users').select('isDemo').distinct().execute()
  if (kinds.some(({ isDemo }) => !isDemo)) return 'in use'
  return kinds.length > 0 ? 'demo' : 'empty'
}
