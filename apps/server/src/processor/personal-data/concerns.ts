import { PROCESSOR_METADATA } from '@tributary/contract'
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

/** All texts in these fields of an event that match, for `relatedIds` of a processor. */
export const idsIn = (body: unknown, { fields, pattern }: { fields: string[]; pattern: RegExp }): string[] => {
  const found = objectsIn(body).flatMap((object) => fields.map((name) => object[name]))
  return [...new Set(found.filter((value) => typeof value === 'string' && pattern.test(value)))] as string[]
}
