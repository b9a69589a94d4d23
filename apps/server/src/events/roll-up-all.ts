import type { Database } from '../database/connect.ts'
import { rollUp } from './roll-up.ts'
import { sumPeriods } from './sum-periods.ts'

/** Every program, one after the other, until each is caught up. Readers do the same for theirs, so this only saves them the wait. */
export const rollUpAll = async (db: Database, clock: () => Date) => {
  for (const program of await db.selectFrom('programs').select(['id', 'timezone']).orderBy('id').execute()) {
    while (!(await rollUp(db, { program, at: clock() })));
    while (!(await sumPeriods(db, program.id)));
  }
}
