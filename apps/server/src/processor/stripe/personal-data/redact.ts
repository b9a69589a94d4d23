import { PROCESSOR_METADATA } from '@tributary/contract'
import { type Fields, fieldsOf } from '../reading.ts'

export type Person = { programId: number; customerKey: string | null; token: string }

/** Fields that are personal by name, whatever they contain, in all API versions. */
const PERSONAL = new Set([
  ...['email', 'receipt_email', 'customer_email', 'customer_email_address', 'email_address', 'payer_email'],
  ...['phone', 'customer_phone', 'customer_name', 'individual_name', 'business_name', 'payer_name', 'verified_name'],
  ...['address', 'customer_address', 'billing_address', 'shipping_address', 'verified_address', 'verified_email'],
  ...[
    'shipping',
    'customer_shipping',
    'shipping_details',
    'billing_details',
    'customer_details',
    'owner',
    'individual',
  ],
  ...['address_line1', 'address_line2', 'address_city', 'address_state', 'address_zip', 'customer_tax_ids', 'tax_ids'],
  // What the customer entered at checkout, and dispute evidence about them.
  ...['custom_fields', 'evidence', 'customer_signature', 'customer_purchase_ip', 'ip_address'],
  // Pages that show name and address to anyone with the link.
  ...['receipt_url', 'hosted_invoice_url', 'invoice_pdf'],
])

/** `name` is personal in these objects; elsewhere it names a product or a field. */
const isPerson = (fields: Fields, within: string) =>
  within === 'previous_attributes' || ['customer', 'card', 'source', 'person'].includes(String(fields.object))

/** Fields that decide which payment an event is about are never changed, whatever the customer key is. */
const IDENTIFYING = new Set([
  ...['id', 'object', 'type', 'api_version', 'account', 'currency', 'status', 'payment_status', 'mode'],
  ...['payment_intent', 'charge', 'latest_charge', 'invoice', 'subscription'],
])

/** A shorter key could match other text by chance. */
const MIN_SEARCH_LENGTH = 6

/** Redacts a person: personal fields become null, the customer key becomes the token, everything else stays. */
export const redactEvent = (event: unknown, person: Person): unknown => {
  const words = [...emailsIn(event), ...keyToSearch(event, person)]
  // Longest first, because one word may contain another.
  const ordered = words.toSorted((a, b) => b.length - a.length)
  return redact(event, '', { ...person, words: ordered })
}

type RedactionContext = Person & { words: string[] }

const redact = (value: unknown, name: string, context: RedactionContext): unknown => {
  if (typeof value === 'string') return IDENTIFYING.has(name) ? value : redactText(value, name, context)
  if (Array.isArray(value)) return value.map((item) => redact(item, name, context))
  if (typeof value !== 'object' || value === null) return value
  const fields = fieldsOf(value)
  return Object.fromEntries(
    Object.entries(fields).map(([inner, content]) => {
      if (PERSONAL.has(inner) || (inner === 'name' && isPerson(fields, name))) return [inner, null]
      return [inner, inner === 'metadata' ? redactMetadata(content, context) : redact(content, inner, context)]
    }),
  )
}

const redactText = (text: string, name: string, { words, customerKey, token }: RedactionContext) =>
  name === 'client_reference_id' && text === customerKey
    ? token
    : words.reduce((left, word) => left.replaceAll(word, token), text)

/** Keeps our three keys; other metadata is removed, as it is for sales. */
const redactMetadata = (metadata: unknown, { programId, customerKey, token }: RedactionContext): unknown => {
  if (typeof metadata !== 'object' || metadata === null) return metadata
  const { programId: PROGRAM, customerKey: KEY, clickId: CLICK } = PROCESSOR_METADATA
  const fields = fieldsOf(metadata)
  const isTheirs = fields[KEY] === customerKey && isOfProgram(fields, programId)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === KEY) return [name, isTheirs ? token : value]
      return [name, name === PROGRAM || name === CLICK ? value : null]
    }),
  )
}

/** Metadata without a program belongs to the receiving program. */
export const isOfProgram = (metadata: Fields, programId: number) => {
  const named = metadata[PROCESSOR_METADATA.programId]
  return named === undefined || named === null || String(named).trim() === String(programId)
}

/** All objects in the event, including the event itself. */
export const objectsIn = (value: unknown): Fields[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inside : [value as Fields, ...inside]
}

const emailsIn = (event: unknown): string[] => [
  ...new Set(
    objectsIn(event)
      .flatMap(Object.entries)
      .flatMap(([name, value]) =>
        /email/.test(name) && typeof value === 'string' && value.includes('@') ? value : [],
      ),
  ),
]

/** Skipped if the event is about another program, where the same key is a different customer. */
const keyToSearch = (event: unknown, { programId, customerKey }: Person): string[] =>
  customerKey !== null &&
  customerKey.length >= MIN_SEARCH_LENGTH &&
  objectsIn(event).every((fields) => isOfProgram(fields, programId))
    ? [customerKey]
    : []
