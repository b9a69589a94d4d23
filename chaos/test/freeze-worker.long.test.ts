import { freezeWorker } from '../faults/freeze-worker.ts'
import { testFault } from './test-fault.ts'

testFault(freezeWorker)
