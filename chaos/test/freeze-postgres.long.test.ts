import { freezePostgres } from '../faults/freeze-postgres.ts'
import { testFault } from './test-fault.ts'

testFault(freezePostgres)
