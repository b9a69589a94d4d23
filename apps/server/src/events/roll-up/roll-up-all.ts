import type { Database } from '../../database/connect.ts'
import { rollUp } from './roll-up.ts'

/** Rolls up every program until each is caught up. */
export const rollUpAll = async (db: Database, clock: () => Date) => {
  const programs = await db.selectFrom('programs').select(['id', 'timezone']).orderBy('id').execute()
  for (const program of programs) while (!(await rollUp(db, { program, at: clock() })));
}
