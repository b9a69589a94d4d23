import { slowClients } from '../faults/slow-clients.ts'
import { testFault } from './test-fault.ts'

testFault(slowClients)
