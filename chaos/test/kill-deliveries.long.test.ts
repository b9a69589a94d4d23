import { killDeliveries } from '../faults/kill-deliveries.ts'
import { testFault } from './test-fault.ts'

testFault(killDeliveries)
