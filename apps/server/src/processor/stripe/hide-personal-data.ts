import { PROCESSOR_METADATA } from '@tributary/contract'

const HIDDEN = '[redacted]'

/** Fields that carry a person’s data whatever their depth. An object or list below one loses every value it holds. */
const PERSONAL = new RegExp(
  [
    '(^|_)(name|nickname)$',
    'email',
    'phone',
    '(^|_)address(es|_line\\d|_city|_state|_zip)?$',
    '^(customer_)?shipping(_details)?$',
    '^(billing|customer)_details$',
    'tax_ids?$',
    '(^|_)ip$',
    'user_agent',
    'last4|fingerprint',
    '(^|_)(iban|account_number|routing_number|vpa|cashtag)$',
    'postal|zip|birth|^dob|ssn|signature',
    '^(owner|individual|evidence|custom_fields)$',
  ].join('|'),
)

/** Links to pages that show a person’s data without a sign-in, and secrets of the payment. */
const OPENS_MORE = /receipt_url|hosted_\w*url|invoice_pdf|client_secret|receipt_number/

/** Kept as they are: these say which payment an event is about and what became of it. */
const IDENTIFYING = /^(id|object|type|api_version|account|currency|status|payment_status|mode)$|_id$/

const OUR_METADATA: string[] = Object.values(PROCESSOR_METADATA)

const EMAIL = /[^\s<>"'(),;:=&?/]+(@|%40)[^\s<>"'(),;:&?/]+\.[a-z]{2,}/gi
/** A shorter word can be part of another word by chance. */
const SHORTEST_WORD = 4
/** No processor nests this deep. */
const MAX_DEPTH = 200

/**
 * The event for readers who may not see personal data: names, e-mail and postal addresses, phone numbers and card digits
 * become "[redacted]". The structure, identifiers and amounts stay.
 */
export const hidePersonalData = (event: unknown): unknown => {
  const words = new Set<string>()
  collectNames(event, words, 0)
  return hideIn(event, { key: '', words: [...words].toSorted((a, b) => b.length - a.length), depth: 0 })
}

/** Names and phone numbers, which may be repeated in free text such as a description. */
const collectNames = (value: unknown, words: Set<string>, depth: number): void => {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  for (const [key, content] of Object.entries(value)) {
    if (typeof content !== 'string') collectNames(content, words, depth + 1)
    else if (/(^|_)name$|phone/.test(key) && content.length >= SHORTEST_WORD) words.add(content)
  }
}

type Place = { key: string; words: string[]; depth: number }

const hideIn = (value: unknown, { key, words, depth }: Place): unknown => {
  if (typeof value === 'string') return hideInText(value, key, words)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => hideIn(item, { key, words, depth: depth + 1 }))
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => {
      if (PERSONAL.test(name) || OPENS_MORE.test(name)) return [name, hideAll(content, depth + 1)]
      if (key === 'metadata' && !OUR_METADATA.includes(name) && !/(^|_)id$/i.test(name))
        return [name, hideAll(content, depth + 1)]
      return [name, hideIn(content, { key: name, words, depth: depth + 1 })]
    }),
  )
}

const hideInText = (text: string, key: string, words: string[]) => {
  const withoutEmail = text.replace(EMAIL, HIDDEN)
  return IDENTIFYING.test(key)
    ? withoutEmail
    : words.reduce(
        (left, word) => left.replace(new RegExp(word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), 'gi'), HIDDEN),
        withoutEmail,
      )
}

/** Every value below a personal field, except the identifier and kind of an object that is expanded there. */
const hideAll = (value: unknown, depth: number): unknown => {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value !== 'object' || depth > MAX_DEPTH) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => hideAll(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => {
      const isKept = (name === 'id' || name === 'object') && typeof content === 'string'
      return [name, isKept ? content : hideAll(content, depth + 1)]
    }),
  )
}
