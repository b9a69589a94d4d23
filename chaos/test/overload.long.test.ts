import { overload } from '../faults/overload.ts'
import { testFault } from './test-fault.ts'

testFault(overload)
