import { createHash } from 'node:crypto'
import { type Fields, fieldsOf, idOf, momentOf, parseFields, wholeNumber } from '../translating/fields.ts'
import type { IncomingEvent } from '../translation.ts'

/** Reads the envelope. The order, subscription or invoice becomes the object, with its ID, type and the checkout's custom data. */
export const readEvent = (text: string, receivedAt: Date): IncomingEvent | null => {
  const body = parseFields(text)
  const [meta, data] = [fieldsOf(body.meta), fieldsOf(body.data)]
  const [type, kind, id] = [idOf(meta.event_name), idOf(data.type), idIn(data, 'id')]
  if (!type || !kind || !id) return null
  const attributes = fieldsOf(data.attributes)
  const isLive = isMarkedLive(meta.test_mode, attributes.test_mode)
  const storeId = idIn(attributes, 'store_id')
  const marks = [...(isLive ? [] : ['test']), ...(meta.listed === true ? ['listed'] : [])]
  return {
    processor: 'lemonsqueezy',
    id: [type, kind, id, ...versionOf(attributes, text), ...marks].join(':'),
    ...(storeId && { scope: storeId }),
    type,
    createdAt: latest(attributes) ?? receivedAt,
    receivedAt,
    livemode: isLive,
    accountId: storeId,
    apiVersion: null,
    object: { ...attributes, id, kind, custom_data: meta.custom_data },
  }
}

/** IDs are text at the top and numbers everywhere else. */
export const idIn = (fields: Fields, name: string) => {
  const number = wholeNumber(fields[name])
  return number === null ? idOf(fields[name]) : String(number)
}

/**
 * Events have no ID. Retries have the same time, status and refunded amount; two refunds can have the same time, because it is in
 * whole seconds.
 */
const versionOf = ({ updated_at, status, refunded_amount }: Fields, text: string) => {
  if (!momentOf(updated_at)) return [createHash('sha256').update(text).digest('hex').slice(0, 32)]
  const refunded = typeof refunded_amount === 'number' ? refunded_amount : null
  return [updated_at, idOf(status), refunded].filter((part) => part !== null)
}

const isMarkedLive = (...marks: unknown[]) => {
  const given = marks.filter((mark) => mark !== undefined && mark !== null)
  return given.length > 0 && given.every((isTest) => isTest === false)
}

/** A renewal is paid when its invoice changes, which can be days after its creation. */
const latest = ({ created_at, updated_at }: Fields) => {
  const times = [created_at, updated_at].flatMap((value) => momentOf(value)?.getTime() ?? [])
  return times.length > 0 ? new Date(Math.max(...times)) : null
}
