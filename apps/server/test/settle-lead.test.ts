import { describe, expect, test } from 'bun:test'
import { LEAD_AUTH } from '@tributary/contract'
import { type LeadDecision, type LeadFacts, type LeadState, settleLead } from '../src/attribution/attribution.ts'

/** The state of the click's own record after the decision. */
const nextLeadState = (lead: LeadState, { outcome }: LeadDecision): LeadState => {
  if (outcome === 'settle') return 'settled'
  if (outcome === 'provisional') return 'provisional'
  return lead
}

const EVENTS = ['server_lead', 'browser_sign_up', 'processor_payment', 'sale_call'] as const
const KEYS = ['absent', 'new', 'known'] as const
const CLICKS = ['absent', 'unknown', 'expired', 'valid'] as const
const LEADS = ['none', 'provisional', 'settled'] as const

/** Every combination of facts. */
const everyFacts: LeadFacts[] = EVENTS.flatMap((event) =>
  LEAD_AUTH.flatMap((leadAuth) =>
    KEYS.flatMap((customerKey) =>
      CLICKS.flatMap((click) => LEADS.map((lead) => ({ event, leadAuth, customerKey, click, lead }))),
    ),
  ),
)

const settles = ({ outcome }: LeadDecision) => outcome === 'settle' || outcome === 'settle_second_customer'

describe('the settlement table, over every combination of facts', () => {
  const always = (promise: string, holds: (facts: LeadFacts, decision: LeadDecision) => boolean) =>
    test(promise, () => {
      expect(everyFacts).toHaveLength(4 * 2 * 3 * 4 * 3)
      expect(everyFacts.filter((facts) => !holds(facts, settleLead(facts)))).toEqual([])
    })

  always(
    'a sale call never settles or changes anything',
    (facts, { outcome }) => facts.event !== 'sale_call' || outcome === 'unchanged',
  )
  always(
    'only a sale call has no effect',
    (facts, { outcome }) => facts.event === 'sale_call' || outcome !== 'unchanged',
  )
  always(
    'settled is final',
    (facts, decision) => facts.lead !== 'settled' || nextLeadState('settled', decision) === 'settled',
  )
  always(
    'nothing settles without a new customer key',
    (facts, decision) => !settles(decision) || facts.customerKey === 'new',
  )
  always('nothing settles without a valid click', (facts, decision) => !settles(decision) || facts.click === 'valid')
  always(
    'a browser settles only if the program is browser_allowed',
    (facts, decision) =>
      !settles(decision) || facts.event !== 'browser_sign_up' || facts.leadAuth === 'browser_allowed',
  )
  always(
    'only a browser creates a provisional lead',
    (facts, { outcome }) => outcome !== 'provisional' || facts.event === 'browser_sign_up',
  )
  always(
    'an unusable click never creates a provisional lead',
    (facts, { outcome }) => outcome !== 'provisional' || (facts.click === 'valid' && facts.lead !== 'settled'),
  )
  always(
    'a server lead for a known key is a duplicate, whatever the click',
    (facts, { outcome }) => facts.event !== 'server_lead' || facts.customerKey !== 'known' || outcome === 'duplicate',
  )
  always(
    'the processor settles exactly what a server lead would',
    (facts, decision) =>
      facts.event !== 'processor_payment' || Bun.deepEquals(decision, settleLead({ ...facts, event: 'server_lead' })),
  )
})

/** Two keys and two clicks, driven by every sequence of calls, with decisions applied as tracking applies them. */
type World = {
  leads: Record<string, LeadState>
  keyOf: Record<string, string | null>
  settledKeys: string[]
  paid: number
}
const CALLS = EVENTS.flatMap((event) =>
  ['a', 'b'].flatMap((click) => [null, 'k1', 'k2'].map((key) => ({ event, click, key }))),
)

const step = (world: World, { event, click, key }: (typeof CALLS)[number], leadAuth: LeadFacts['leadAuth']): World => {
  const customerKey = key === null ? 'absent' : world.settledKeys.includes(key) ? 'known' : 'new'
  const decision = settleLead({ event, leadAuth, customerKey, click: 'valid', lead: world.leads[click] ?? 'none' })
  const next: World = {
    ...world,
    leads: { ...world.leads, [click]: nextLeadState(world.leads[click] ?? 'none', decision) },
  }
  if (settles(decision)) {
    next.settledKeys = [...world.settledKeys, key ?? 'a missing key']
    next.paid = world.paid + 1
    if (decision.outcome === 'settle') next.keyOf = { ...world.keyOf, [click]: key }
  }
  return next
}

test('no sequence of calls breaks an invariant (exhaustive search of all reachable worlds)', () => {
  for (const leadAuth of LEAD_AUTH) {
    const start: World = { leads: {}, keyOf: {}, settledKeys: [], paid: 0 }
    const seen = new Set<string>()
    const open = [start]
    for (let world = open.pop(); world; world = open.pop()) {
      const name = JSON.stringify([world.leads, world.keyOf, world.settledKeys.toSorted()])
      if (seen.has(name)) continue
      seen.add(name)
      expect(new Set(world.settledKeys).size).toBe(world.settledKeys.length) // at most one settled lead per key
      expect(world.paid).toBe(world.settledKeys.length) // every settled lead pays once
      for (const [click, state] of Object.entries(world.leads))
        expect(state === 'settled').toBe(Boolean(world.keyOf[click])) // provisional never saves a key
      open.push(...CALLS.map((call) => step(world, call, leadAuth)))
    }
    expect(seen.size).toBeGreaterThan(10)
  }
})
