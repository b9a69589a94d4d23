import type { IncomingEvent } from '../translation.ts'
import { fieldsOf, idOf, read, timeOf } from './reading.ts'

/** Parses an event's envelope; null if it has no ID or type, so it cannot be stored. */
export const readEvent = (text: string, receivedAt: Date): IncomingEvent | null => {
  const event = parse(text)
  const id = idOf(event.id)
  const type = idOf(event.type)
  if (!id || !type) return null
  return {
    id,
    type,
    createdAt: timeOf(event.created) ?? receivedAt,
    receivedAt,
    // Anything not marked live is a test.
    livemode: event.livemode === true,
    accountId: idOf(event.account),
    apiVersion: idOf(event.api_version),
    object: fieldsOf(read(event, 'data', 'object')),
  }
}

const parse = (text: string) => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}
