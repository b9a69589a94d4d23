import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { ATTRIBUTION_MODELS, UNCREDITED_REASONS } from '@tributary/contract'
import openapi from '../../../../docs/openapi.json'
import {
  attributeSale,
  type Click,
  type CustomerRecord,
  type SaleAttribution,
  type SaleFacts,
} from '../../src/attribution/attribution.ts'
import type { StatedCode } from '../../src/attribution/codes.ts'
import { fromJson, toJson } from '../../src/explain/decisions.ts'

const DAY_MS = 86_400_000
const SOLD_AT = new Date('2026-06-30T12:00:00.000Z')
const before = (days: number) => new Date(SOLD_AT.getTime() - days * DAY_MS)

/** Partner 1 three days before the sale, partner 2 two days before, partner 1 a day after. */
const CLICKS: Click[] = [
  { id: 'a', linkId: 10, partnerId: 1, clickedAt: before(3) },
  { id: 'b', linkId: 20, partnerId: 2, clickedAt: before(2) },
  { id: 'c', linkId: 10, partnerId: 1, clickedAt: before(-1) },
]
const heldBy = (click: Click | undefined, isSettled: boolean): CustomerRecord => ({
  linkId: click?.linkId ?? 0,
  partnerId: click?.partnerId ?? 0,
  creditedClickAt: click?.clickedAt ?? SOLD_AT,
  firstClickedAt: before(3),
  lastClickedAt: before(2),
  isSettled,
})
const RECORDS = [
  null,
  heldBy(CLICKS[0], false),
  heldBy(CLICKS[0], true),
  heldBy(CLICKS[1], false),
  heldBy(CLICKS[1], true),
]

/** Every combination of facts that can occur. */
const everyFacts: SaleFacts[] = (['at_the_sale', 'late'] as const).flatMap((when) =>
  ATTRIBUTION_MODELS.flatMap((attributionModel) =>
    [1, 60].flatMap((cookieWindowDays) =>
      (['absent', 'unknown', 'known'] as const).flatMap((customer) =>
        (['absent', 'unknown', 'found'] as const).flatMap((click) =>
          RECORDS.filter((record) => (record !== null) === (customer === 'known' || click === 'found')).flatMap(
            (record) =>
              [CLICKS, CLICKS.slice(2), []].map((clicks) => ({
                when,
                soldAt: SOLD_AT,
                attributionModel,
                cookieWindowDays,
                customer,
                click,
                record,
                clicks,
              })),
          ),
        ),
      ),
    ),
  ),
)

describe('sale attribution, over every combination of facts', () => {
  const always = (promise: string, holds: (facts: SaleFacts, result: SaleAttribution) => boolean) =>
    test(promise, () => {
      expect(everyFacts.length).toBeGreaterThan(300)
      expect(everyFacts.filter((facts) => !holds(facts, attributeSale(facts)))).toEqual([])
    })

  always(
    'has a winner if and only if the sale is credited',
    (_, { outcome, winner }) => (outcome === 'credited') === (winner !== null),
  )
  always('makes every click the winner or a loser with a reason', ({ clicks }, { winner, losers }) => {
    const isListed = clicks.some(({ clickedAt, linkId }) => clickedAt === winner?.clickedAt && linkId === winner.linkId)
    return losers.length === clicks.length - (isListed ? 1 : 0)
  })
  always(
    'never takes an existing lead from its partner, whatever the window',
    ({ when, customer, record }, { winner }) => {
      if (when === 'late' || customer !== 'known') return true
      return winner?.partnerId === record?.partnerId
    },
  )
  always(
    'credits a click without a lead only within the attribution window',
    ({ when, customer, click, cookieWindowDays }, { outcome }) => {
      if (when === 'late' || customer === 'known') return true
      return (outcome === 'credited') === (click === 'found' && cookieWindowDays === 60)
    },
  )
  always(
    'gives an unknown customer key as the reason, because its lead may still arrive',
    ({ when, customer }, { winner, reason }) =>
      when === 'late' || customer !== 'unknown' || winner ? true : reason === 'customer_unknown',
  )
  always('credits late to the click that would have won at the time of the sale', (facts, { winner }) => {
    if (facts.when !== 'late') return true
    const [first, last] = [facts.clicks[0], facts.clicks[1]]
    if (!first || !last) return winner === null
    return winner?.partnerId === (facts.attributionModel === 'first_click' ? first : last).partnerId
  })
  always('comes out the same from stored facts', (facts) =>
    Bun.deepEquals(attributeSale(fromJson(JSON.parse(toJson(facts))) as SaleFacts), attributeSale(facts)),
  )
})

test('of two clicks in the same millisecond, the higher ID is the later one', () => {
  const clicks = ['1', '2'].map((id) => ({ id, linkId: Number(id), partnerId: Number(id), clickedAt: before(1) }))
  const facts = { ...(everyFacts.find(({ when }) => when === 'late') as SaleFacts), clicks: clicks.toReversed() }
  expect(attributeSale({ ...facts, attributionModel: 'last_click' }).winner?.partnerId).toBe(2)
  expect(attributeSale({ ...facts, attributionModel: 'first_click' }).winner?.partnerId).toBe(1)
})

test('the contract, the OpenAPI document and the guide list exactly the reasons that the rule can give', () => {
  const code: StatedCode = {
    code: 'SAM20',
    state: 'owned',
    codeId: 1,
    partnerId: 7,
    isApproved: true,
    hasPaidBefore: false,
  }
  const codes: Partial<StatedCode>[] = [
    { state: 'unknown' },
    { state: 'disabled' },
    { state: 'pending' },
    { isApproved: false },
    { hasPaidBefore: true },
  ]
  const withCodes = codes.flatMap((lost) => everyFacts.map((facts) => ({ ...facts, codes: [{ ...code, ...lost }] })))
  const answered = [...everyFacts, ...withCodes]
    .map((facts) => attributeSale(facts))
    .filter(({ outcome }) => outcome === 'uncredited')
  expect([...new Set(answered.map(({ reason }) => reason as string))].toSorted()).toEqual(UNCREDITED_REASONS.toSorted())
  const answer = openapi.paths['/api/v1/track/sale'].post.responses['200'].content['application/json'].schema
  expect(JSON.stringify(answer)).toContain(JSON.stringify({ enum: UNCREDITED_REASONS }).slice(1, -1))
  const guide = readFileSync(new URL('../../../../docs/guides/server-sales.md', import.meta.url), 'utf8')
  for (const reason of UNCREDITED_REASONS) expect(guide).toContain(`'${reason}'`)
})
