import { createHash } from 'node:crypto'
import type { Processor } from './port.ts'
import { processorOf, processors } from './processors.ts'
import { idOf } from './translating/fields.ts'
import type { AssignedReport, IncomingEvent, Translation, UnassignedReport } from './translation.ts'

/**
 * Translates an event. Its references get their namespace, and a payment that names a customer but no program belongs to the
 * program whose endpoint received it.
 */
export const translate = (event: IncomingEvent, endpointProgramId: number | null): Translation<AssignedReport> => {
  const processor = processorOf(event)
  const translation = event.type === UNREADABLE ? UNREADABLE_EVENT : processor.translate(event)
  if ('customer' in translation) {
    const { customer } = translation
    const customerId = inNamespace(event, customer.customerId)
    const at = customer.at <= event.receivedAt ? customer.at : event.receivedAt
    return { customer: { ...customer, customerId, attribution: assign(customer.attribution, endpointProgramId), at } }
  }
  if ('learned' in translation)
    return {
      learned: translation.learned.map(({ id, sameAs, ...learned }) => ({
        ...learned,
        id: inNamespace(event, id),
        ...(sameAs && { sameAs: inNamespace(event, sameAs) }),
      })),
    }
  if (!('report' in translation)) return translation
  const complete = ({ invoiceId, ...report }: UnassignedReport): AssignedReport => {
    const [first, ...others] = report.references.map((reference) => toReference(processor, event, reference))
    return {
      ...report,
      references: [first as string, ...new Set(others)],
      ...(invoiceId && !isProcessorsId(invoiceId) && { invoiceId }),
      ...(report.codes && {
        codes: report.codes.map((code) => ('id' in code ? { id: inNamespace(event, code.id) } : code)),
        ...(endpointProgramId !== null && { codeProgramId: endpointProgramId }),
      }),
      ...(report.customerId && { customerId: inNamespace(event, report.customerId) }),
      attribution: assign(report.attribution, endpointProgramId),
      // A processor's clock may be ahead of ours; an event cannot happen after we receive it.
      at: report.at <= event.receivedAt ? report.at : event.receivedAt,
    }
  }
  const { report, further } = translation
  return { report: complete(report), ...(further && { further: further.map(complete) }) }
}

/** Who paid, as the event states it. Null without an address. */
export const payerIn = (event: IncomingEvent) => {
  const { email, customerId } = processorOf(event).payer?.(event) ?? {}
  const id = idOf(customerId)
  return typeof email === 'string' && email !== '' ? { email, customerId: id && inNamespace(event, id) } : null
}

/**
 * IDs in the processor's own spelling stay as they are, because merchants send them as `invoice_id`. Others, such as numbers, could
 * equal an invoice ID of the merchant or an ID of another processor or account.
 */
const toReference = ({ ownIds }: Processor, event: IncomingEvent, reference: string) =>
  ownIds.test(reference) ? reference : inNamespace(event, reference)

const inNamespace = ({ processor, scope }: IncomingEvent, id: string) =>
  [processor, ...(scope ? [scope] : []), id].join(':')

/**
 * Metadata can be edited: the name of another payment of a processor would merge the two. UUIDs are also the merchant's, and no one can
 * guess another payment's.
 */
const isProcessorsId = (invoiceId: string) =>
  processors.some(
    ({ name, ownIds }) => (ownIds.test(invoiceId) && !UUID.test(invoiceId)) || invoiceId.startsWith(`${name}:`),
  )

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const assign = (attribution: UnassignedReport['attribution'], endpointProgramId: number | null) => {
  const programId = attribution?.programId ?? endpointProgramId
  if (!attribution || programId === null) return null
  return { ...attribution, programId, ...(attribution.programId === null && { isAssumed: true as const }) }
}

/** The type of a signed JSON object without the fields that every event has. It is kept, because nothing else would show it. */
const UNREADABLE = 'unreadable'
const UNREADABLE_EVENT = { ignored: 'unreadable_event' } as const

type Received = { text: string; receivedAt: Date; eventId: string | null }

/** Reads an event that just arrived or was stored. Null if it is not a JSON object. */
export const readEvent = (processor: Processor, { text, receivedAt, eventId }: Received): IncomingEvent | null => {
  const event = processor.read(text, receivedAt, eventId)
  if (event || !isObject(text)) return event
  const hash = createHash('sha256').update(text).digest('hex')
  return {
    processor: processor.name,
    id: eventId ?? `${UNREADABLE}_${hash.slice(0, 32)}`,
    type: UNREADABLE,
    createdAt: receivedAt,
    receivedAt,
    livemode: true,
    accountId: null,
    apiVersion: null,
    object: {},
  }
}

export const isUnreadable = ({ type }: IncomingEvent) => type === UNREADABLE

const isObject = (text: string) => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** `livemode`: what the event said, unless its endpoint is for tests. */
type StoredEvent = { processor: string; eventId: string; livemode: boolean; payload: Uint8Array; receivedAt: Date }

export const readStoredEvent = ({ processor, eventId, livemode, payload, receivedAt }: StoredEvent) => {
  const received = { text: Buffer.from(payload).toString('utf8'), receivedAt, eventId }
  const event = readEvent(processorOf({ processor }), received)
  return event && { ...event, livemode }
}
