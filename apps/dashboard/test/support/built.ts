import { join } from 'node:path'

export const ROOT = join(import.meta.dir, '../../../..')
export const DIST = join(ROOT, 'apps/dashboard/dist')

/** Builds the current sources; `npm test` has usually done it already. */
export const givenBuiltDashboard = async () => {
  const { buildDashboard } = await import(join(ROOT, 'scripts/build-dashboard.mjs'))
  const problem = buildDashboard({ root: ROOT })
  if (problem) throw new Error(problem)
}
