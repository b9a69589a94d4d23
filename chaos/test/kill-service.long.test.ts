import { killService } from '../faults/kill-service.ts'
import { testFault } from './test-fault.ts'

testFault(killService)
