/** The fault that only this harness can make: what is lost or there twice after a crash is in lifecycle/acknowledged.test.ts too. */
import { cutCommits } from '../faults/cut-commits.ts'
import { testFault } from './test-fault.ts'

testFault(cutCommits)
