import { readEvent, translate } from '../../src/processor/stripe/translate.ts'
import type { Translation } from '../../src/processor/translation.ts'
import type { TestEvent } from './stripe-events.ts'

export const AT = 1_793_000_000

export const translateEvent = (given: TestEvent): Translation => {
  const read = readEvent(JSON.stringify({ ...given, created: AT }), new Date())
  if (!read) throw new Error('no event')
  return translate(read)
}

/** The report in a translation; throws if there is none. */
export const reportOf = (translation: Translation) => {
  if (!('report' in translation)) throw new Error(JSON.stringify(translation))
  return translation.report
}

export const METADATA = { program_id: '7', service_customer_key: 'user_42', service_click_id: 'click_1' }
export const ATTRIBUTION = { programId: 7, customerKey: 'user_42', clickId: 'click_1' }
