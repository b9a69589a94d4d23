import { PROCESSOR_METADATA } from '@tributary/contract'
import type { Fields } from '../reading.ts'
import { isOfProgram, objectsIn } from './redact.ts'

const { customerKey: KEY, clickId: CLICK } = PROCESSOR_METADATA

type Person = { programId: number; customerKey: string | null; clickId: string | null }

/** Whether any metadata in the event names the customer: by key, or by click if there is no key. */
export const namesCustomer = (event: unknown, { programId, customerKey, clickId }: Person) =>
  objectsIn(event).some((fields) => {
    const key = fields[KEY] ?? null
    const click = fields[CLICK] ?? null
    const isNamed = key === null ? clickId !== null && click === clickId : key === customerKey
    return isNamed && isOfProgram(fields, programId)
  })

/** The customer key that the event's metadata names for a program. */
export const customerKeyIn = (event: unknown, programId: number): string | null => {
  const named = objectsIn(event).find((fields) => KEY in fields && isOfProgram(fields, programId))
  const key = named?.[KEY]
  return typeof key === 'string' ? key : null
}

/** IDs of one person or one of their purchases; not products, prices or taxes. */
const PERSONAL_ID = /^(cus|sub|pi|ch|py|in|cs|pm|src|seti|re|dp|du)_\w+$/
const NAMES = [
  'id',
  'customer',
  'subscription',
  'payment_intent',
  'charge',
  'latest_charge',
  'invoice',
  'payment_method',
]

const idsIn = (fields: Fields) =>
  NAMES.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' && PERSONAL_ID.test(value) ? value : []
  })

/** IDs that connect an event to a person even if it names neither their key nor a payment. */
export const relatedIds = (event: unknown): string[] => [...new Set(objectsIn(event).flatMap(idsIn))]
