import { programOfClickId } from '../../tracking/clicks/click-ids.ts'
import { type Fields, fieldsOf } from './fields.ts'

/** The first of these values that has the form of a `click_id`. Other tools and merchants use the same fields for their own IDs. */
export const clickReferenceIn = (...values: unknown[]): { clickReference?: string } => {
  const found = values.find((value) => typeof value === 'string' && programOfClickId(value.trim()) !== null)
  return typeof found === 'string' ? { clickReference: found.trim() } : {}
}

/**
 * What the metadata says about where a buyer came from, as the Agentic Commerce Protocol (`affiliate_attribution`) and the Universal
 * Commerce Protocol (`attribution`) have it: a JSON object as text, or a key for each of its fields.
 */
export const valuesOfProtocols = (metadata: unknown): unknown[] =>
  ['affiliate_attribution', 'attribution'].flatMap((name) => {
    const fields = fieldsOf(metadata)
    const flat = Object.keys(fields).filter((key) =>
      [`${name}_`, `${name}.`, `${name}[`].some((start) => key.startsWith(start)),
    )
    return [...leavesOf(parse(fields[name])), ...flat.map((key) => fields[key])]
  })

const parse = (value: unknown): unknown => {
  if (typeof value !== 'string' || !value.startsWith('{')) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Deeper than any field of the two protocols. */
const MAX_DEPTH = 3

const leavesOf = (value: unknown, depth = 0): unknown[] => {
  if (typeof value !== 'object' || value === null) return [value]
  return depth === MAX_DEPTH ? [] : Object.values(value as Fields).flatMap((inner) => leavesOf(inner, depth + 1))
}
