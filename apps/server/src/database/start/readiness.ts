import type { Database } from '../connect.ts'

/** Tests with a commit, because a read-only database still answers queries. */
export const canCommit = async (db: Database) => {
  const checkedAt = new Date()
  try {
    await db
      .insertInto('readiness')
      .values({ id: true, checkedAt })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ checkedAt }))
      .execute()
    return true
  } catch {
    return false
  }
}
