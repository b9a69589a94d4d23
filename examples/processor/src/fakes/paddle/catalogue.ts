import type { Payment } from '../fake.ts'
import { paddleId } from '../fake-ids.ts'
import { inMicroseconds } from '../moments.ts'

type Line = Pick<Payment, 'product' | 'priceCents' | 'currency' | 'mode' | 'taxInclusive' | 'trialDays'>

const CREATED_AT = Date.UTC(2026, 0, 5)

const idWords = ({ product, priceCents, currency }: Line) => [product, priceCents, currency] as const

export const monthly = { interval: 'month', frequency: 1 }

export const shortPriceOf = (line: Line) => ({
  id: paddleId('pri', ...idWords(line)),
  tax_mode: line.taxInclusive ? 'internal' : 'external',
  product_id: paddleId('pro', line.product),
  unit_price: { amount: String(line.priceCents), currency_code: line.currency },
  description: line.product,
  trial_period: line.trialDays === null ? null : { interval: 'day', frequency: line.trialDays },
  billing_cycle: line.mode === 'subscription' ? monthly : null,
})

export const priceOf = (line: Line) => ({
  ...shortPriceOf(line),
  status: 'active',
  quantity: { maximum: 100, minimum: 1 },
  name: line.product,
  unit_price_overrides: [],
  type: 'standard',
  custom_data: null,
})

export const productOf = ({ product }: Pick<Line, 'product'>) => ({
  id: paddleId('pro', product),
  name: product,
  status: 'active',
  image_url: null,
  description: product,
  tax_category: 'standard',
  type: 'standard',
  custom_data: null,
  created_at: inMicroseconds(CREATED_AT),
})
