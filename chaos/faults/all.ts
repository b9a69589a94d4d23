import type { Fault } from '../fault.ts'
import { clockJumps } from './clock-jumps.ts'
import { clockJumpsEvents } from './clock-jumps-events.ts'
import { cutAnswers } from './cut-answers.ts'
import { cutCommits } from './cut-commits.ts'
import { diskFull } from './disk-full.ts'
import { diskFullEvents } from './disk-full-events.ts'
import { freezePostgres } from './freeze-postgres.ts'
import { freezeWorker } from './freeze-worker.ts'
import { killDeliveries } from './kill-deliveries.ts'
import { killPostgres } from './kill-postgres.ts'
import { killService } from './kill-service.ts'
import { overload } from './overload.ts'
import { restartPostgres } from './restart-postgres.ts'
import { rollingRestart } from './rolling-restart.ts'
import { slowClients } from './slow-clients.ts'

export const FAULTS: Fault[] = [
  killService,
  killDeliveries,
  freezeWorker,
  killPostgres,
  restartPostgres,
  freezePostgres,
  diskFull,
  diskFullEvents,
  cutAnswers,
  cutCommits,
  overload,
  slowClients,
  clockJumps,
  clockJumpsEvents,
  rollingRestart,
]
