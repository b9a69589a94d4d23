import type { FanOut } from '../outbox/sequence.ts'
import { createDeliveries } from './create-deliveries.ts'

/** What happens to new events in the transaction that gives them their sequence. */
export const FAN_OUT: FanOut[] = [createDeliveries]
