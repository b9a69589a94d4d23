import { PROCESSOR_METADATA } from '@tributary/contract'
import { type Fields, fieldsOf } from '../translating/fields.ts'

export type Person = { programId: number; customerKey: string | null; token: string }

/** What is personal in a processor's events, beyond the names that all of them share. */
export type PersonalData = {
  /** Fields that are personal by name, whatever they contain. */
  fields: string[]
  /** Fields that decide which payment an event is about. They are never changed, whatever the customer key is. */
  identifying: string[]
  /** IDs that connect an event to a person even if it names neither their key nor a payment, such as the customer's. */
  relatedIds(body: unknown): string[]
  /** Objects whose `name` is a person's, where neither their type nor the field that holds them says so. */
  isPerson?(fields: Fields): boolean
}

/** Personal in the events of every processor. */
const PERSONAL = [
  ...['email', 'customer_email', 'user_email', 'email_address', 'payer_email', 'receipt_email'],
  ...['phone', 'phone_number', 'customer_phone', 'customer_name', 'user_name', 'payer_name', 'business_name'],
  ...['address', 'customer_address', 'billing_address', 'shipping_address', 'ip_address', 'customer_ip_address'],
  ...['billing_details', 'shipping_details', 'customer_details', 'tax_id', 'tax_ids', 'tax_number'],
]

/** `name` is personal in these objects; elsewhere it names a product or a field. */
const isNamedPerson = (fields: Fields, within: string) =>
  ['customer', 'user', 'previous_attributes'].includes(within) ||
  ['customer', 'card', 'source', 'person'].includes(String(fields.object))

const IDENTIFYING = ['id', 'object', 'type', 'currency', 'status']

/** A shorter key could match other text by chance. */
const MIN_SEARCH_LENGTH = 6

/** Redacts a person: personal fields become null, the customer key becomes the token, everything else stays. */
export const redactEvent = (event: unknown, person: Person, personalData: PersonalData): unknown => {
  const { fields, identifying, isPerson = () => false } = personalData
  const words = [...emailsIn(event), ...keyToSearch(event, person)]
  // Longest first, because one word may contain another.
  const ordered = words.toSorted((a, b) => b.length - a.length)
  const personal = new Set([...PERSONAL, ...fields])
  return redact(event, '', {
    ...person,
    words: ordered,
    personal,
    identifying: new Set([...IDENTIFYING, ...identifying]),
    isPerson: (object, within) => isNamedPerson(object, within) || isPerson(object),
  })
}

/** Where processors put what the merchant's checkout adds. */
const METADATA = new Set(['metadata', 'custom_data'])

type RedactionContext = Person & {
  words: string[]
  personal: Set<string>
  identifying: Set<string>
  isPerson: (object: Fields, within: string) => boolean
}

const redact = (value: unknown, name: string, context: RedactionContext): unknown => {
  if (typeof value === 'string') return context.identifying.has(name) ? value : redactText(value, name, context)
  if (Array.isArray(value)) return value.map((item) => redact(item, name, context))
  if (typeof value !== 'object' || value === null) return value
  const fields = fieldsOf(value)
  return Object.fromEntries(
    Object.entries(fields).map(([inner, content]) => {
      if (context.personal.has(inner) || (inner === 'name' && context.isPerson(fields, name))) return [inner, null]
      return [inner, METADATA.has(inner) ? redactMetadata(content, context) : redact(content, inner, context)]
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
