/** The faults that decide whether something acknowledged is lost or there twice. The others are in the long form. */
import { cutCommits } from '../faults/cut-commits.ts'
import { killService } from '../faults/kill-service.ts'
import { restartPostgres } from '../faults/restart-postgres.ts'
import { testFault } from './test-fault.ts'

for (const fault of [killService, cutCommits, restartPostgres]) testFault(fault)
