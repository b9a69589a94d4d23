import { readEvent } from '../../src/processor/stripe/translate.ts'
import { translate } from '../../src/processor/translate-event.ts'
import type { Payments } from '../payments/given-payments.ts'
import type { TestEvent } from './stripe-events.ts'

/** Applies the report in an event; returns the reason if the event has none. */
export const applyEvent = async (shop: Payments, event: TestEvent) => {
  const incoming = readEvent(JSON.stringify(event), shop.clock.now())
  const translation = incoming && translate(incoming, null)
  if (translation && 'report' in translation) return (await shop.receive(translation.report)).reason
  return translation && 'ignored' in translation ? translation.ignored : null
}
