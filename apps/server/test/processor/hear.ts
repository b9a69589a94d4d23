import { readEvent } from '../../src/processor/stripe/read-event.ts'
import { translate } from '../../src/processor/stripe/translate.ts'
import type { Payments } from '../payments/given-payments.ts'
import type { TestEvent } from './stripe-events.ts'

/** What an event says about a payment goes through the story; answers why not where it says nothing about one. */
export const hear = async (shop: Payments, event: TestEvent) => {
  const incoming = readEvent(JSON.stringify(event), shop.clock.now())
  const said = incoming && translate(incoming)
  if (said && 'report' in said) return (await shop.tell(said.report)).reason
  return said && 'ignored' in said ? said.ignored : null
}
