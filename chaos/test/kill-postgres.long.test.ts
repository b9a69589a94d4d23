import { killPostgres } from '../faults/kill-postgres.ts'
import { testFault } from './test-fault.ts'

testFault(killPostgres)
