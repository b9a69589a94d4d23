export { createEvents, type PaymentUpdate } from './create-events.ts'
export type { Delivery, Endpoint } from './deliveries.ts'
export { asSeenByPlatform, type ProcessorEvent } from './event.ts'
export type { Account } from './objects/account.ts'
export type { Dispute } from './objects/dispute.ts'
export type { Refund } from './objects/refund.ts'
export {
  API_VERSIONS,
  type Generation,
  type Metadata,
  newPayment,
  type Payment,
  type PaymentIds,
  type PaymentOptions,
  renewalOf,
  totalCents,
} from './payment.ts'
export { signatureHeader } from './signature.ts'
export { DEFAULT_ACCOUNT, type Processor, type ProcessorOptions, startProcessor } from './start-processor.ts'
