import { checkFields, identifier, kindOf, optionalIdentifier, programId } from './check-arguments.ts'
import { TributaryArgumentError } from './errors.ts'
import { METADATA_KEYS } from './wire.ts'

export type CheckoutCustomer = {
  /** The value of the `service_click_id` cookie; a customer who is known already needs none. */
  clickId?: string | null | undefined
  /** The same value as at lead time. */
  customerExternalId: string
  programId: number | string
}

export type CheckoutMetadata = {
  service_click_id?: string
  service_customer_key: string
  program_id: string
}

/** The metadata alone, for a subscription or payment that is made without a checkout session. */
const metadataFor = (customer: CheckoutCustomer): CheckoutMetadata => {
  const clickId = optionalIdentifier('clickId', customer.clickId)
  return {
    // The processor takes an empty value for "delete this key", so a visitor without a click has no key at all.
    ...(clickId !== undefined && { [METADATA_KEYS.clickId]: clickId }),
    [METADATA_KEYS.customerKey]: identifier(
      'customerExternalId',
      customer.customerExternalId,
      'the same value as at lead time',
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
 * What to spread into the parameters of a checkout session: the keys for the session and, so that renewals attribute, for its
 * subscription. Subscription is the default because a wrong guess is loud there: the processor refuses `subscription_data`
 * for a one-time payment, while a subscription without metadata would lose every renewal in silence.
 */
export const checkoutMetadata = <Mode extends CheckoutMode = 'subscription'>(
  checkout: CheckoutCustomer & { mode?: Mode | undefined },
): CheckoutMetadataOf<Mode> => {
  checkFields('checkoutMetadata', checkout, [...CUSTOMER_FIELDS, 'mode'])
  const metadata = metadataFor(checkout)
  const part = PART_OF[checkout.mode ?? 'subscription']
  if (part === undefined)
    throw new TributaryArgumentError(
      "mode must be 'subscription' or 'payment', as the checkout session has it.",
      'mode',
    )
  return { metadata, [part]: { metadata: { ...metadata } } } as CheckoutMetadataOf<Mode>
}

/** Where the processor keeps the metadata of what the session makes. It refuses the one in the mode of the other. */
const PART_OF = { subscription: 'subscription_data', payment: 'payment_intent_data' } as const

type Metadata = { [name: string]: string | number | null }
type Part = { metadata?: Metadata | '' }
type Session = Part & { mode?: string; subscription_data?: Part; payment_intent_data?: Part }

/**
 * The parameters of a checkout session with our keys in every place that needs them. It reads the session's own `mode` and adds
 * to metadata, trial days and whatever else is there; spreading would replace one `subscription_data` by the other.
 */
export const withCheckoutMetadata = <Parameters extends object>(
  // Not `Session`: what is written where it is passed may have everything that the processor knows and we do not.
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
    ...added('metadata', given, ours),
    ...(part && { [part]: added(`${part}.metadata`, partOf(given, part), ours) }),
  } as Parameters & { metadata: CheckoutMetadata }
}

/** The processor takes an empty value for none, and so do we. */
const added = (name: string, part: Part, ours: CheckoutMetadata) => {
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
