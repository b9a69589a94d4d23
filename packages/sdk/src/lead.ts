import {
  checkFields,
  identifier,
  optionalIdentifier,
  optionalObject,
  optionalText,
  programId,
} from './check-arguments.ts'
import { TributaryArgumentError } from './errors.ts'
import { type LeadAnswer, type LeadBody, MAX_METADATA_BYTES, type TestAnswer } from './wire.ts'

type SignUp<TestMode> = {
  /** Your own stable ID of the customer. Use the same value for the sale. */
  customerExternalId: string
  /** The value of the `service_click_id` cookie; absent for a customer who is known already. */
  clickId?: string | null | undefined
  /** Kept as a keyed hash and in masked form only. */
  email?: string | null | undefined
  /** `test_mode` makes a test lead, which counts nothing and completes the set-up check. */
  additionalData?: { test_mode?: TestMode | undefined; program_id?: number | string | undefined } | null | undefined
}
/** A sign-up, as your server reports it. */
export type Lead = SignUp<false>
export type TestLead = SignUp<true> & { additionalData: { test_mode: true } }
/** Either, where a variable decides. */
export type AnyLead = SignUp<boolean>

export type LeadResult = {
  leadId: number | null
  customerExternalId: string
  clickId: string | null
  /** It was settled before, perhaps by an earlier attempt of this very call; nothing changed. */
  duplicate: boolean
  /** It neither counts nor pays yet. */
  provisional: boolean
}

export type TestResult = { test: true; eventId: number; programId: number; message: string }

const FIELDS = [
  'customerExternalId',
  'clickId',
  'email',
  'additionalData',
] as const satisfies readonly (keyof AnyLead)[]

export const leadBody = (lead: AnyLead): LeadBody => {
  checkFields('trackLead', lead, FIELDS)
  return {
    customer_key: identifier('customerExternalId', lead.customerExternalId, 'your own stable ID of the customer'),
    click_id: optionalIdentifier('clickId', lead.clickId),
    email: optionalText('email', lead.email),
    additional_data: additionalData(lead.additionalData),
  }
}

/** A misspelt `test_mode` would make a test count as a customer. */
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
    duplicate: answer.duplicate ?? false,
    provisional: answer.provisional ?? false,
  }
}
