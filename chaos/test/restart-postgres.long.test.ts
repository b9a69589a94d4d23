import { restartPostgres } from '../faults/restart-postgres.ts'
import { testFault } from './test-fault.ts'

testFault(restartPostgres)
