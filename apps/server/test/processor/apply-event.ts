import { readEvent } from '../../src/processor/stripe/read-event.ts'
import { translate } from '../../src/processor/stripe/translate.ts'
import type { Payments } from '../payments/given-payments.ts'
import type { TestEvent } from './stripe-events.ts'

/** Applies the report in an event; returns the reason if the event has none. */
export const hear = async (shop: Payments, event: TestEvent) => {
  const incoming = readEvent(JSON.stringify(event), shop.clock.now())
  const said = incoming && translate(incoming)
  if (said && 'report' in said) return (await shop.tell(said.report)).reason
  return said && 'ignored' in said ? said.ignored : null
}
