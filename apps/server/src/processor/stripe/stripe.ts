import { CLICK_COOKIE, PROCESSOR_METADATA } from '@tributary/contract'
import type { Processor } from '../port.ts'
import { timestampedSignature } from '../signatures/timestamped.ts'
import { emailIn } from '../translating/fields.ts'
import { platformWith } from './account.ts'
import { withPromotionCodes } from './codes.ts'
import { endpointsWith } from './endpoints.ts'
import { listEvents } from './list-events.ts'
import { personalData } from './personal-data.ts'
import { EVENT_TYPES, readEvent, translate } from './translate.ts'

const example = (programId: number) => `const metadata = {
  ${PROCESSOR_METADATA.clickId}: request.cookies.${CLICK_COOKIE} ?? '',
  ${PROCESSOR_METADATA.customerKey}: user.id, // the same ID as in the lead call
  ${PROCESSOR_METADATA.programId}: '${programId}',
}

await stripe.checkout.sessions.create({
  // … your line items and URLs
  mode: 'subscription',
  metadata,
  subscription_data: { metadata },
})`

export const stripe: Processor = {
  name: 'stripe',
  label: 'Stripe',
  eventTypes: EVENT_TYPES,
  setUp: {
    place: 'your Stripe dashboard',
    steps: [
      'Open Developers → Webhooks in your Stripe dashboard and choose “Add destination”.',
      'Choose “Your account”, select the events listed below, and enter the endpoint URL.',
      'Open the new destination, reveal its signing secret and save it here.',
    ],
    metadata:
      'Subscriptions need the metadata in both places, or renewals are not credited. Payment Links, buy buttons and pricing tables need none of this: the script on your site adds the click to them.',
    example,
    secret: { label: 'Signing secret', placeholder: 'whsec_…', pattern: /^whsec_[\w+/=-]+$/ },
    apiKey: {
      label: 'Restricted API key',
      placeholder: 'rk_…',
      pattern: /^[rs]k_\w+$/,
      permissions: ['Webhook Endpoints: write', 'Events: read', 'Accounts: read'],
    },
    account: { label: 'Account ID', placeholder: 'acct_…', pattern: /^acct_\w{1,200}$/ },
  },
  ...timestampedSignature({ header: 'stripe-signature', separator: ',', time: 't', hash: 'v1', joint: '.' }),
  read: readEvent,
  translate: withPromotionCodes(translate),
  payer: ({ object }) => ({ email: emailIn(object), customerId: object.customer }),
  ownIds: /^(cs|pi|in|ch|py)_\w+$/,
  personalData,
  listEvents: ({ stripe: settings }, account, since) => listEvents(settings, account, since),
  endpoints: ({ stripe: settings }) => endpointsWith(settings),
  platform: ({ stripe: settings }) => platformWith(settings),
}
