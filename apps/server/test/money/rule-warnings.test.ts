import { expect, test } from 'bun:test'
import type { RuleConditions } from '@tributary/contract'
import { warningsOf } from '../../src/money/rewards/rule-warnings.ts'

/** One of each, so that a new condition cannot be left out. */
const CONDITIONS: Required<RuleConditions> = {
  products: ['prod_1'],
  plans: ['plan_1'],
  interval: 'year',
  payment: 'renewal',
  currencies: ['EUR'],
  countries: ['DE'],
  minAmountCents: 100,
}
const PAYS = [{ percentBps: 1000 }]

test.each(Object.entries(CONDITIONS))('%s narrows a rule: it never matches after one without it', (name, value) => {
  const narrow = { when: { [name]: value }, pays: PAYS }
  expect(warningsOf([{ pays: PAYS }, narrow])).toMatchObject([{ code: 'rule_never_matches', rule: 2 }])
  expect(warningsOf([narrow, { pays: PAYS }])).toEqual([])
})
