import { clockJumps } from '../faults/clock-jumps.ts'
import { testFault } from './test-fault.ts'

testFault(clockJumps)
