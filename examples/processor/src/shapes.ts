import shapes2024 from '../shapes/2024.json'
import shapes2026 from '../shapes/2026.json'
import type { Generation } from './payment.ts'

/** An object in wire format. */
export type WireObject = Record<string, unknown>

const SHAPES: Record<Generation, Record<string, WireObject>> = { 2024: shapes2024, 2026: shapes2026 }

/** A copy of Stripe's sample object, to be filled in. */
export const shapeOf = (generation: Generation, name: string): WireObject => {
  const shape = SHAPES[generation][name]
  if (!shape) throw new Error(`The ${generation} API has no object ${name}.`)
  return structuredClone(shape)
}

export const listOf = (url: string, data: WireObject[]) => ({ object: 'list', data, has_more: false, url })
