export {
  type CheckoutCustomer,
  type CheckoutMetadata,
  type CheckoutMetadataOf,
  type CheckoutMode,
  checkoutMetadata,
  withCheckoutMetadata,
} from './checkout-metadata.ts'
export { type CookieSource, clickIdFromCookies } from './click-cookie.ts'
export { TributaryArgumentError, TributaryError, type TributaryErrorCode } from './errors.ts'
export type { AnyLead, Lead, LeadResult, TestLead, TestResult } from './lead.ts'
export type { Refund, RefundResult } from './refund.ts'
export type { Sale, SaleItem, SaleResult } from './sale.ts'
export { type CallOptions, Tributary, type TributaryOptions } from './tributary.ts'
export type {
  CommissionData,
  LeadData,
  LinkData,
  PartnerData,
  PayoutData,
  ProcessorData,
  SaleData,
  TermsData,
  WebhookEvent,
  WebhookEventData,
  WebhookEventType,
} from './webhooks/events.ts'
export {
  TributaryWebhookError,
  type TributaryWebhookErrorCode,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
} from './webhooks/verify-webhook.ts'
