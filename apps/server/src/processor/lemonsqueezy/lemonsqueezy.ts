import type { Processor } from '../port.ts'
import { personalData } from './personal-data.ts'
import { readEvent } from './read-event.ts'
import { isPlausible, isSignedWith } from './signature.ts'
import { translate } from './translate.ts'

export const lemonsqueezy: Processor = {
  name: 'lemonsqueezy',
  label: 'Lemon Squeezy',
  eventTypes: [
    'order_created',
    'order_refunded',
    'subscription_created',
    'subscription_updated',
    'subscription_cancelled',
    'subscription_expired',
    'subscription_payment_success',
    'subscription_payment_refunded',
  ],
  setUp: {
    place: 'your Lemon Squeezy store',
    steps: [
      'Open Settings → Webhooks in Lemon Squeezy and add a webhook.',
      'Enter the endpoint URL as the callback URL, and a random signing secret of 6 to 40 characters.',
      'Select the events listed below, save the webhook, and save the same signing secret here.',
      'To try it in test mode first, add the same webhook there too: test mode has its own webhooks.',
    ],
    metadata:
      'Add the metadata to `checkout_data.custom` when your server creates the checkout. Every value must be text. Lemon Squeezy repeats it for renewals.',
    secret: { label: 'Signing secret', placeholder: '6 to 40 characters', pattern: /^\S.{4,198}\S$/ },
    account: { label: 'Store ID', placeholder: '71043', pattern: /^\d{1,20}$/ },
  },
  isPlausible,
  isSignedWith,
  read: readEvent,
  translate,
  // The order's identifier. All other IDs are numbers.
  ownIds: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  personalData,
}
