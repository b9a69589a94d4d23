import { diskFull } from '../faults/disk-full.ts'
import { testFault } from './test-fault.ts'

testFault(diskFull)
