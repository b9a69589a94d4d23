import { checkFields, identifier, kindOf, optionalIdentifier, programId } from './check-arguments.ts'
import { TributaryArgumentError } from './errors.ts'
import { METADATA_KEYS } from './wire.ts'

export type CheckoutCustomer = {
  /** The value of the `service_click_id` cookie. Not needed for a customer who is already a lead. */
  clickId?: string | null | undefined
  /** The ID you sent with the lead. */
  customerExternalId: string
  programId: number | string
}

export type CheckoutMetadata = {
  service_click_id?: string
  service_customer_key: string
  program_id: string
}

const metadataFor = (customer: CheckoutCustomer): CheckoutMetadata => {
  const clickId = optionalIdentifier('clickId', customer.clickId)
  return {
    // Left out rather than empty: the processor reads an empty value as "delete this key".
    ...(clickId !== undefined && { [METADATA_KEYS.clickId]: clickId }),
    [METADATA_KEYS.customerKey]: identifier(
      'customerExternalId',
      customer.customerExternalId,
      'the ID you sent with the lead',
    ),
    [METADATA_KEYS.programId]: programId('programId', customer.programId),
  }
}

const CUSTOMER_FIELDS = ['clickId', 'customerExternalId', 'programId'] as const

export type CheckoutMode = 'subscription' | 'payment'

export type CheckoutMetadataOf<Mode extends CheckoutMode> = Mode extends 'payment'
  ? { metadata: CheckoutMetadata; payment_intent_data: { metadata: CheckoutMetadata } }
  : { metadata: CheckoutMetadata; subscription_data: { metadata: CheckoutMetadata } }

/**
 * Metadata to spread into the parameters of a checkout session, for the session itself and for its subscription, so that renewals are
 * attributed. The default mode is subscription, because that mistake is noticed: the processor rejects `subscription_data` for a
 * one-time payment, while a subscription without metadata would silently lose every renewal.
 */
export const checkoutMetadata = <Mode extends CheckoutMode = 'subscription'>(
  checkout: CheckoutCustomer & { mode?: Mode | undefined },
): CheckoutMetadataOf<Mode> => {
  checkFields('checkoutMetadata', checkout, [...CUSTOMER_FIELDS, 'mode'])
  const metadata = metadataFor(checkout)
  const part = PART_OF[checkout.mode ?? 'subscription']
  if (part === undefined)
    throw new TributaryArgumentError(
      "mode must be 'subscription' or 'payment', the same as in the checkout session.",
      'mode',
    )
  return { metadata, [part]: { metadata: { ...metadata } } } as CheckoutMetadataOf<Mode>
}

/** Which parameter holds the metadata in each mode. The processor rejects the other one. */
const PART_OF = { subscription: 'subscription_data', payment: 'payment_intent_data' } as const

type Metadata = { [name: string]: string | number | null }
type Part = { metadata?: Metadata | '' }
type Session = Part & { mode?: string; subscription_data?: Part; payment_intent_data?: Part }

/**
 * Adds the metadata keys to the parameters of a checkout session in every place that needs them. Reads the session's `mode` and keeps
 * everything else, such as trial days, which spreading would overwrite.
 */
export const withCheckoutMetadata = <Parameters extends object>(
  // Not `Session`, because an object literal may contain any parameter of the processor.
  session: Parameters,
  customer: CheckoutCustomer,
): Parameters & { metadata: CheckoutMetadata } => {
  checkFields('withCheckoutMetadata', customer, CUSTOMER_FIELDS)
  if (!isPlain(session))
    throw new TributaryArgumentError(
      `withCheckoutMetadata takes the parameters of a checkout session first, not ${kindOf(session)}.`,
      'session',
    )
  const ours = metadataFor(customer)
  const given: Session = session
  const part = PART_OF[given.mode as CheckoutMode] as (typeof PART_OF)[CheckoutMode] | undefined
  return {
    ...addMetadata('metadata', given, ours),
    ...(part && { [part]: addMetadata(`${part}.metadata`, partOf(given, part), ours) }),
  } as Parameters & { metadata: CheckoutMetadata }
}

/** Empty metadata means none, as for the processor. */
const addMetadata = (name: string, part: Part, ours: CheckoutMetadata) => {
  const theirs = part.metadata || {}
  if (!isPlain(theirs)) throw new TributaryArgumentError(`${name} must be an object, not ${kindOf(theirs)}.`, name)
  return { ...part, metadata: { ...theirs, ...ours } }
}

const partOf = (session: Session, name: 'subscription_data' | 'payment_intent_data'): Part => {
  const part = session[name] ?? {}
  if (!isPlain(part)) throw new TributaryArgumentError(`${name} must be an object, not ${kindOf(part)}.`, name)
  return part
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
