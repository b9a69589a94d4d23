/**
 * Only this harness can produce this fault; lifecycle/acknowledged.long.test.ts also covers loss and duplication after a
 * crash.
 */
import { cutCommits } from '../faults/cut-commits.ts'
import { testFault } from './test-fault.ts'

testFault(cutCommits)
