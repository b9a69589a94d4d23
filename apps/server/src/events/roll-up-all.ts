import type { Database } from '../database/connect.ts'
import { rollUp } from './roll-up.ts'
import { sumPeriods } from './sum-periods.ts'

/**
 * Every program, one after the other, until each is caught up. Readers roll up theirs, so that only saves them the wait; the
 * sums of periods are made here alone. A program whose sums fail keeps no other from its own.
 */
export const rollUpAll = async (db: Database, clock: () => Date) => {
  const programs = await db.selectFrom('programs').select(['id', 'timezone']).orderBy('id').execute()
  for (const program of programs) while (!(await rollUp(db, { program, at: clock() })));
  const failures: unknown[] = []
  for (const { id } of programs)
    await sumAll(db, id).catch((error) => {
      failures.push(error)
    })
  if (failures.length > 0) throw failures[0]
}

const sumAll = async (db: Database, programId: number) => {
  while (!(await sumPeriods(db, programId)));
}
