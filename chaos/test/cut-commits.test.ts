import { cutCommits } from '../faults/cut-commits.ts'
import { testFault } from './test-fault.ts'

testFault(cutCommits)
