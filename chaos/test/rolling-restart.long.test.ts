import { rollingRestart } from '../faults/rolling-restart.ts'
import { testFault } from './test-fault.ts'

testFault(rollingRestart)
