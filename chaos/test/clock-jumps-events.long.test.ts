import { clockJumpsEvents } from '../faults/clock-jumps-events.ts'
import { testFault } from './test-fault.ts'

testFault(clockJumpsEvents)
