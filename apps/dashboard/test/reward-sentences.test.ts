import { expect, test } from 'bun:test'
import type { RewardRule } from '@tributary/contract'
import { describeReward, rewardSentences } from '../src/components/format/reward-sentences.ts'

const sentencesOf = (...rules: RewardRule[]) => rewardSentences({ sale: { rules }, lead: null, currency: 'USD' })
const only = (rule: RewardRule) => sentencesOf(rule)[0]

const PAYS = [{ percentBps: 1_000 }]

test.each<[string, RewardRule]>([
  ['30% of every sale for 12 months, then 10%', { pays: [{ months: 12, percentBps: 3_000 }, { percentBps: 1_000 }] }],
  ['$5.00 for every sale for 1 month', { pays: [{ months: 1, amountCents: 500 }] }],
  ['10% of every sale, at most $50.00 per sale', { pays: PAYS, maxPerSaleCents: 5_000 }],
  [
    'Renewals: $5.00 per sale, at most $50.00 per sale and $500.00 per customer',
    { when: { payment: 'renewal' }, pays: [{ amountCents: 500 }], maxPerSaleCents: 5_000, maxPerCustomerCents: 50_000 },
  ],
  ['Yearly plans: 10%', { when: { interval: 'year' }, pays: PAYS }],
  ['Monthly plans, first payments: 10%', { when: { interval: 'month', payment: 'first' }, pays: PAYS }],
  ['One-time purchases: 10%', { when: { interval: 'one_time' }, pays: PAYS }],
  ['prod_addon: nothing', { when: { products: ['prod_addon'] }, pays: [] }],
  ['a, b or c, plan p: 10%', { when: { products: ['a', 'b', 'c'], plans: ['p'] }, pays: PAYS }],
  ['Plans p or q: 10%', { when: { plans: ['p', 'q'] }, pays: PAYS }],
  ['Sales in USD or EUR: 10%', { when: { currencies: ['USD', 'EUR'] }, pays: PAYS }],
  ['Customers from Germany or France: 10%', { when: { countries: ['DE', 'FR'] }, pays: PAYS }],
  ['Sales of at least $100.00: 10%', { when: { minAmountCents: 10_000 }, pays: PAYS }],
  // A minimum is in the currency of the sale.
  [
    'Sales in JPY, sales of at least ¥10,000: 10%',
    { when: { currencies: ['JPY'], minAmountCents: 10_000 }, pays: PAYS },
  ],
])('%s', (sentence, rule) => {
  expect(only(rule)).toBe(sentence)
})

test('rules follow each other, and leads come last', () => {
  const rules = [{ when: { interval: 'year' as const }, pays: PAYS }, { pays: [{ months: 12, percentBps: 3_000 }] }]
  const terms = { sale: { rules }, lead: { amountCents: 200 }, currency: 'USD' }
  expect(rewardSentences(terms)).toEqual(['Yearly plans: 10%', 'Everything else: 30% for 12 months', '$2.00 per lead'])
  expect(describeReward(terms)).toBe('Yearly plans: 10%. Everything else: 30% for 12 months. $2.00 per lead')
})

test('terms that one rate can say keep their sentence', () => {
  const sale = { percentBps: 2_000, duration: 'months' as const, months: 12, rules: [] }
  const lead = { amountCents: 200 }
  expect(describeReward({ sale, lead, currency: 'USD' })).toBe(
    '20% of every sale within 12 months of a customer’s first sale, plus $2.00 per lead',
  )
  // Older entries of the audit log have no rules.
  expect(describeReward({ sale: { amountCents: 500, duration: 'first' }, lead: null, currency: 'USD' })).toBe(
    '$5.00 for each customer’s first sale',
  )
  expect(describeReward({ sale: null, lead: null, currency: 'USD' })).toBe('No reward')
})
