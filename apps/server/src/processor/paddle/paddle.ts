import { PROCESSOR_METADATA } from '@tributary/contract'
import type { Processor } from '../port.ts'
import { timestampedSignature } from '../signatures/timestamped.ts'
import { listEvents, PERMISSIONS } from './list-events.ts'
import { personalData } from './personal-data.ts'
import { EVENT_TYPES, readEvent, translate } from './translate.ts'

const example = (programId: number) => `Paddle.Checkout.open({
  items: [{ priceId: 'pri_…', quantity: 1 }],
  customData: {
    ${PROCESSOR_METADATA.clickId}: window.service?.getClickId() ?? '',
    ${PROCESSOR_METADATA.customerKey}: user.id, // the same ID as in the lead call
    ${PROCESSOR_METADATA.programId}: '${programId}',
  },
})`

/** Paddle Billing. */
export const paddle: Processor = {
  name: 'paddle',
  label: 'Paddle',
  eventTypes: EVENT_TYPES,
  setUp: {
    place: 'your Paddle dashboard',
    steps: [
      'Open Developer tools → Notifications in your Paddle dashboard and choose “New destination”.',
      'Choose the type “URL” and the usage type “Platform”, enter the endpoint URL, and select the events listed below.',
      'Save the destination, open it again with “Edit destination”, copy its secret key and save it here.',
    ],
    metadata:
      'If your server creates the transaction, set the same keys in its `custom_data`. Paddle copies them to the subscription and to every renewal.',
    example,
    secret: { label: 'Secret key', placeholder: 'pdl_ntfset_…', pattern: /^pdl_ntfset_\w[\w+/=-]*$/ },
    hasSandbox: true,
    apiKey: {
      label: 'API key',
      placeholder: 'pdl_live_apikey_…',
      // The payments of a sandbox account must not be recovered as live ones.
      pattern: /^pdl_live_apikey_\w+$/,
      permissions: PERMISSIONS,
    },
  },
  // Paddle's own library checks only the last hash and accepts any time in the future.
  ...timestampedSignature({ header: 'paddle-signature', separator: ';', time: 'ts', hash: 'h1', joint: ':' }),
  read: readEvent,
  translate,
  // A transaction names only the customer, whose address other events state.
  payer: ({ type, object }) =>
    type.startsWith('customer.') ? { email: object.email, customerId: object.id } : { email: null },
  ownIds: /^(txn|inv)_[a-z\d]{26}$/,
  personalData,
  listEvents: (_settings, account, since) => listEvents(account, since),
}
