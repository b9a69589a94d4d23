import { ApiError } from '~/api/client.ts'
import { fieldError } from '~/components/controls/form.tsx'

/** What the service refused, at a place of the form: `holdDays`, `rules.0.pays.1.months`, `rules.0`. */
export type Refusal = { place: string; message: string; field: string } | null

/** `prefix` is where the terms are in the request. */
export const refusalOf = (error: unknown, prefix = ''): Refusal => {
  if (!(error instanceof ApiError) || !error.field?.startsWith(prefix)) return null
  const place = placeOf(error.field.slice(prefix.length))
  return place === null ? null : { place, message: fieldError(error, error.field) ?? '', field: error.field }
}

export const messageAt = (refusal: Refusal, place: string) => (refusal?.place === place ? refusal.message : null)

export const isInRule = (refusal: Refusal, index: number) =>
  refusal !== null && (refusal.place === `rules.${index}` || refusal.place.startsWith(`rules.${index}.`))

const SIMPLE: Record<string, string> = {
  holdDays: 'holdDays',
  minimumPayoutCents: 'minimum',
  'lead.amountCents': 'lead',
  'sale.percentBps': 'percent',
  'sale.amountCents': 'flat',
  'sale.months': 'months',
}

/** Null for what no field shows, such as the whole list. */
const placeOf = (field: string) => {
  const [, index, part, name, inner] = /^sale\.rules\.(\d+)(?:\.(\w+)(?:\.(\w+))?(?:\.(\w+))?)?/.exec(field) ?? []
  if (index === undefined) return SIMPLE[field] ?? null
  const rule = `rules.${index}`
  if (part === 'when' && name) return `${rule}.when.${name}`
  if (part === 'pays' && name) return `${rule}.pays.${name}${inner === 'months' ? '.months' : ''}`
  return part === undefined || part === 'pays' || part === 'when' ? rule : `${rule}.${part}`
}
