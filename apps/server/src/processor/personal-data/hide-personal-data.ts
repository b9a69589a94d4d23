import { PROCESSOR_METADATA } from '@tributary/contract'

const HIDDEN = '[redacted]'

/** Everything below these fields is hidden, including numbers and identifiers. */
const PERSONAL = new RegExp(
  [
    'name$|(^|_)(description|comment|note|memo|message|label|title)$',
    'email|phone|mobile|(^|_)(tel|fax)$',
    '(^|_)address(es|_line\\d|_city|_state|_zip)?$',
    'location|latitude|longitude|street|postal|zip',
    '^(customer_)?shipping(_details)?$',
    '^(billing|customer)_details$',
    'tax_ids?$',
    '(^|_)ip$|user_agent',
    'last_?(4|four)|fingerprint',
    '(^|_)(account|routing|card|tax|house)_number$|iban|vpa|cashtag',
    'birth|^dob|ssn|signature',
    '^(owner|individual|evidence)$',
    'secret|external|reference_id$',
  ].join('|'),
)

/** Merchant-defined fields, whose names may be personal data too. */
const CUSTOM = /(^|_)(metadata|custom(_data|_fields?|_field_data)?)$/
const OURS = new RegExp(`^(${Object.values(PROCESSOR_METADATA).join('|')})$`)
const OUR_VALUE = /^[\w.:-]{1,255}$/

/** Fields whose values come from the processor's vocabulary. */
const SAFE =
  /(^|_)(object|type|types|status|currency|currency_code|mode|reason|interval|method|behavior|scheme|check|category)$|^(event_name|action|origin|duration|brand|card_brand|network|funding|risk_level|(failure|decline|error)_code)$/
const WORD = /^[a-z][\w.-]{0,99}$/i
const FIELD = /^\w[\w.-]{0,63}$/

const AMOUNT = /(^|_)(amount|total|subtotal|tax|discount|fee|earnings|balance|credit|rate|decimal)$/
const DECIMAL = /^-?\d+(\.\d+)?$/

const ID = /^(?=.*\d)[\w.:-]{1,255}$/
/** Requires a digit: `jane_roe_smith` is not an identifier. */
const IDENTIFIER = /^[a-z]{2,10}_(?=\w*\d)\w{6,250}$/
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const DATE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/

/** Deeper than any processor nests. */
const MAX_DEPTH = 200

/**
 * Redacts the event for readers who may not see personal data. Numbers, flags, identifiers, dates, amounts and the processor's own
 * vocabulary stay; all other text becomes "[redacted]", because it may contain a name or an address.
 */
export const hidePersonalData = (event: unknown): unknown => hideIn(event, '', 0)

const hideIn = (value: unknown, key: string, depth: number): unknown => {
  if (typeof value === 'string') return isSafe(key, value) ? value : HIDDEN
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => hideIn(item, key, depth + 1))
  return mapFields(value, FIELD, (name, content) => {
    if (CUSTOM.test(name)) return hideCustom(content)
    return PERSONAL.test(name) && !SAFE.test(name) ? hideAll(content, depth + 1) : hideIn(content, name, depth + 1)
  })
}

const isSafe = (key: string, text: string) => {
  if (key === 'id' || key === 'api_version') return ID.test(text)
  if (SAFE.test(key)) return WORD.test(text)
  if (AMOUNT.test(key) && DECIMAL.test(text)) return true
  return [IDENTIFIER, UUID, DATE].some((pattern) => pattern.test(text))
}

/** Hides everything below a personal field, except the ID and type of an expanded object. */
const hideAll = (value: unknown, depth: number): unknown => {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value !== 'object' || depth > MAX_DEPTH) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => hideAll(item, depth + 1))
  return mapFields(value, FIELD, (name, content) => {
    const isKept = (name === 'id' || name === 'object') && typeof content === 'string' && isSafe(name, content)
    return isKept ? content : hideAll(content, depth + 1)
  })
}

/** Shows only the metadata that Tributary defines. */
const hideCustom = (value: unknown): unknown => {
  if (value === null) return value
  if (Array.isArray(value)) return value.map(() => HIDDEN)
  if (typeof value !== 'object') return HIDDEN
  return mapFields(value, OURS, (name, content) => {
    const isOurs = typeof content === 'number' || (typeof content === 'string' && OUR_VALUE.test(content))
    return OURS.test(name) && isOurs ? content : HIDDEN
  })
}

/** Replaces unknown field names with numbers. */
const mapFields = (fields: object, known: RegExp, hide: (name: string, content: unknown) => unknown) => {
  let unknown = 0
  return Object.fromEntries(
    Object.entries(fields).map(([name, content]) => [
      known.test(name) ? name : `[redacted ${++unknown}]`,
      hide(name, content),
    ]),
  )
}
