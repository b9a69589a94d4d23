import type { Processor } from '../port.ts'
import { personalData } from './personal-data.ts'
import { isPlausible, isSignedWith } from './signature.ts'
import { EVENT_TYPES, readEvent, translate } from './translate.ts'

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
      'Add the metadata to `customData` of `Paddle.Checkout.open`, or to `custom_data` of a transaction that your server creates. Paddle copies it to the subscription and to every renewal.',
    secret: { label: 'Secret key', placeholder: 'pdl_ntfset_…', pattern: /^pdl_ntfset_\w[\w+/=-]*$/ },
  },
  isPlausible,
  isSignedWith,
  read: readEvent,
  translate,
  ownIds: /^(txn|inv)_[a-z\d]{26}$/,
  personalData,
}
