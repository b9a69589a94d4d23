import {
  checkFields,
  identifier,
  optionalCode,
  optionalIdentifier,
  optionalObject,
  optionalText,
  programId,
} from './check-arguments.ts'
import { TributaryArgumentError } from './errors.ts'
import { type LeadAnswer, type LeadBody, MAX_METADATA_BYTES, type TestAnswer } from './wire.ts'

type SignUp<TestMode> = {
  /** Your stable ID of the customer. Use the same value for their sales. */
  customerExternalId: string
  /** The value of the `service_click_id` cookie. Not needed for a customer who is already a lead. */
  clickId?: string | null | undefined
  /** The promotion code that the customer entered. It settles the lead even without a click. */
  promotionCode?: string | null | undefined
  /** Stored only as a keyed hash and in masked form. */
  email?: string | null | undefined
  /** `test_mode` sends a test lead, which does not count but completes the setup step. */
  additionalData?: { test_mode?: TestMode | undefined; program_id?: number | string | undefined } | null | undefined
}
export type Lead = SignUp<false>
export type TestLead = SignUp<true> & { additionalData: { test_mode: true } }
/** For calls where `test_mode` is a variable. */
export type AnyLead = SignUp<boolean>

export type LeadResult = {
  leadId: number | null
  customerExternalId: string
  clickId: string | null
  /** What the partner is credited for; null in answers from before there were codes. */
  creditedBy: NonNullable<LeadAnswer['credited_by']> | null
  /** The lead was already settled, possibly by an earlier attempt at this call. Nothing changed. */
  duplicate: boolean
  /** The lead does not count or pay yet. */
  provisional: boolean
}

export type TestResult = { test: true; eventId: number; programId: number; message: string }

const FIELDS = [
  'customerExternalId',
  'clickId',
  'promotionCode',
  'email',
  'additionalData',
] as const satisfies readonly (keyof AnyLead)[]

export const leadBody = (lead: AnyLead): LeadBody => {
  checkFields('trackLead', lead, FIELDS)
  return {
    customer_key: identifier('customerExternalId', lead.customerExternalId, 'your stable ID of the customer'),
    click_id: optionalIdentifier('clickId', lead.clickId),
    promotion_code: optionalCode('promotionCode', lead.promotionCode),
    email: optionalText('email', lead.email),
    additional_data: additionalData(lead.additionalData),
  }
}

/** Rejects unknown fields: a misspelled `test_mode` would record a test as a real lead. */
const additionalData = (data: AnyLead['additionalData']): LeadBody['additional_data'] => {
  const given = optionalObject('additionalData', data, MAX_METADATA_BYTES)
  if (given === undefined) return undefined
  checkFields('additionalData', given, ['test_mode', 'program_id'])
  if (given.test_mode != null && typeof given.test_mode !== 'boolean')
    throw new TributaryArgumentError('additionalData.test_mode must be true or false.', 'additionalData')
  return {
    test_mode: given.test_mode ?? undefined,
    program_id: given.program_id == null ? undefined : programId('additionalData.program_id', given.program_id),
  }
}

export const leadResult = (answer: LeadAnswer | TestAnswer, lead: LeadBody): LeadResult | TestResult => {
  if ('data' in answer) {
    const { eventId, programId } = answer.data
    return { test: true, eventId, programId, message: answer.message }
  }
  return {
    leadId: answer.lead_id ?? null,
    customerExternalId: answer.customer_key ?? lead.customer_key,
    clickId: answer.click_id ?? null,
    creditedBy: answer.credited_by ?? null,
    duplicate: answer.duplicate ?? false,
    provisional: answer.provisional ?? false,
  }
}
