import { diskFullEvents } from '../faults/disk-full-events.ts'
import { testFault } from './test-fault.ts'

testFault(diskFullEvents)
