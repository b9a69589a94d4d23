import { CLICK_COOKIE, PROCESSOR_METADATA } from '@tributary/contract'
import { idsIn } from '../personal-data/concerns.ts'
import type { PersonalData } from '../personal-data/redact.ts'
import type { Processor } from '../port.ts'
import {
  isPlausibleStandardWebhook,
  isStandardWebhookSignedWith,
  standardWebhookId,
} from '../signatures/standard-webhooks.ts'
import { emailIn, read } from '../translating/fields.ts'
import { EVENT_TYPES, readEvent, translate } from './translate.ts'

/** IDs of one person or one of their purchases; not products, discounts or the business. */
const PERSONAL_IDS = ['payment_id', 'subscription_id', 'customer_id', 'checkout_session_id', 'refund_id', 'dispute_id']

const personalData: PersonalData = {
  fields: [
    ...['billing', 'card_holder_name', 'card_last_four', 'name', 'customer_business_name'],
    // What the customer entered, and why they left.
    ...['custom_field_responses', 'cancellation_comment', 'remarks'],
    // Pages that show name and address to anyone with the link.
    ...['invoice_url', 'payment_link', 'receipt_url'],
  ],
  identifying: [...PERSONAL_IDS, 'business_id', 'brand_id', 'invoice_id', 'timestamp'],
  relatedIds: (body) => idsIn(body, { fields: PERSONAL_IDS, pattern: /^(pay|sub|cus|cks|ref|dp)_\w+$/ }),
}

const example = (programId: number) => `await client.checkoutSessions.create({
  // … your products and URLs
  metadata: {
    ${PROCESSOR_METADATA.programId}: '${programId}',
    ${PROCESSOR_METADATA.customerKey}: user.id, // the same ID as in the lead call
    ${PROCESSOR_METADATA.clickId}: request.cookies.${CLICK_COOKIE} ?? '',
  },
})`

export const dodo: Processor = {
  name: 'dodo',
  label: 'Dodo Payments',
  eventTypes: EVENT_TYPES,
  setUp: {
    place: 'your Dodo Payments dashboard',
    steps: [
      'Open Developer → Webhooks in your Dodo Payments dashboard and choose “Add endpoint”.',
      'Enter the endpoint URL, select the events listed below, and choose “Create endpoint”.',
      'Copy the signing secret from the endpoint’s page and save it here. Test mode has its own endpoints and secrets.',
    ],
    metadata:
      'Dodo Payments copies the metadata of the checkout session to the payment, to the subscription and to every renewal.',
    example,
    hasSandbox: true,
    secret: { label: 'Signing secret', placeholder: 'whsec_…', pattern: /^whsec_[A-Za-z\d+/]{16,200}={0,2}$/ },
    account: { label: 'Business ID', placeholder: 'bus_…', pattern: /^bus_\w{1,200}$/ },
  },
  isPlausible: isPlausibleStandardWebhook,
  isSignedWith: (secret, delivery) =>
    isStandardWebhookSignedWith(Buffer.from(secret.slice('whsec_'.length), 'base64'), delivery),
  eventIdIn: standardWebhookId,
  read: readEvent,
  translate,
  payer: ({ object }) => ({ email: emailIn(object), customerId: read(object, 'customer', 'customer_id') }),
  ownIds: /^(pay|cks)_\w+$/,
  personalData,
}
