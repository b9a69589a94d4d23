import { CLICK_COOKIE, PROCESSOR_METADATA } from '@tributary/contract'
import type { Processor } from '../port.ts'
import { emailIn } from '../translating/fields.ts'
import { listEvents } from './list-events.ts'
import { personalData } from './personal-data.ts'
import { idIn, readEvent } from './read-event.ts'
import { isPlausible, isSignedWith } from './signature.ts'
import { translate } from './translate.ts'

const example = (programId: number) => `const clickId = request.cookies.${CLICK_COOKIE}
const custom = {
  ...(clickId && { ${PROCESSOR_METADATA.clickId}: clickId }),
  ${PROCESSOR_METADATA.customerKey}: user.id, // the same ID as in the lead call
  ${PROCESSOR_METADATA.programId}: '${programId}',
}

await createCheckout(storeId, variantId, { checkoutData: { custom } })`

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
      'Enter the endpoint URL as the callback URL, and make up a random signing secret of 6 to 40 characters.',
      'Select the events listed below, save the webhook, and save the same signing secret here.',
      'To try it in test mode first, add the same webhook there too: test mode has its own webhooks.',
    ],
    metadata:
      'Custom data must be text, and Lemon Squeezy repeats it for renewals. Without a server, add each value to the link of the checkout, such as `?checkout[custom][program_id]=…`.',
    example,
    secret: { label: 'Signing secret', placeholder: '6 to 40 characters', pattern: /^\S.{4,198}\S$/ },
    apiKey: {
      label: 'API key',
      placeholder: 'eyJ0eXAi…',
      pattern: /^[\w.-]{20,4096}$/,
      permissions: ['access to your live store'],
    },
    account: { label: 'Store ID', placeholder: '71043', pattern: /^\d{1,20}$/ },
  },
  isPlausible,
  isSignedWith,
  read: readEvent,
  translate,
  payer: ({ object, scope }) => ({ email: emailIn(object), customerId: scope ? idIn(object, 'customer_id') : null }),
  // The order's identifier. All other IDs are numbers.
  ownIds: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  personalData,
  listEvents: (_, account, since) => listEvents(account, since),
}
