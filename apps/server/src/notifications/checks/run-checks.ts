import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { checkFirstCommissions, checkPayoutDetails } from './partner-checks.ts'
import { sendSummaries } from './summaries.ts'
import { checkClicks, checkConnections, checkReviews } from './team-checks.ts'

const CHECKS = [
  checkReviews,
  checkConnections,
  checkClicks,
  checkFirstCommissions,
  checkPayoutDetails,
  sendSummaries,
] as const

/** Announces what no single change causes. Safe to run concurrently and after a crash: each fact is announced once. */
export const runChecks = async ({ db, clock }: { db: Database; clock: Clock }) => {
  const errors: unknown[] = []
  // One check that fails must not stop the others.
  for (const check of CHECKS) await check(db, clock()).catch((error) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}
