import { cutAnswers } from '../faults/cut-answers.ts'
import { testFault } from './test-fault.ts'

testFault(cutAnswers)
