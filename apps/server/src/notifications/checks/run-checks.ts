import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { runEach } from '../../database/run-each.ts'
import { checkFirstCommissions, checkPayoutDetails } from './partner-checks.ts'
import { sendSummaries } from './summaries.ts'
import { checkClicks, checkConnections, checkReviews } from './team-checks.ts'
import { checkTerms } from './terms-checks.ts'

const CHECKS = [
  checkReviews,
  checkConnections,
  checkClicks,
  checkTerms,
  checkFirstCommissions,
  checkPayoutDetails,
  sendSummaries,
] as const

/** Announces what no single change causes. Safe to run concurrently and after a crash: each fact is announced once. */
export const runChecks = ({ db, clock }: { db: Database; clock: Clock }) =>
  runEach(CHECKS, (check) => check(db, clock()))
