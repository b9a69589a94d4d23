import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { givenClick } from '../support/given.ts'
import { leadsOf } from '../support/records.ts'
import { givenService } from '../support/shared-service.ts'
import { expectVerified, givenUnverified, PAID } from './given-unverified.ts'

const service = await givenService()

type Model = 'first_click' | 'last_click'
/**
 * Whose link is clicked: the partner of the click that the browser named (taker), or the other (rival). A sale, or a
 * payment reported later.
 */
type Step = 'taker' | 'rival' | 'sale' | 'payment'

/**
 * A browser lead for the taker, then a visitor's steps under one record, one per second, which a server uses to confirm
 * the customer.
 */
const given = async (
  attributionModel: Model,
  steps: Step[],
  beforeConfirming: () => Promise<unknown> = async () => {},
) => {
  const program = await givenUnverified(service, undefined, { attributionModel })
  const { id: programId, customer_key, link, rival } = program
  await program.signUp()
  let click_id: string | undefined
  const payments: Date[] = []
  for (const step of steps) {
    service.clock.advance(1_000)
    if (step === 'sale') await program.buy()
    else if (step === 'payment') payments.push(service.clock.now())
    else click_id = await givenClick(service, step === 'taker' ? link : rival, { existing_click_id: click_id })
  }
  service.clock.advance(1_000)
  await beforeConfirming()
  await program.lead({ customer_key, click_id })
  const attribution = { programId, customerKey: customer_key, clickId: null }
  for (const [index, at] of payments.entries()) await program.tell([`pi_${index}`], PAID, attribution, { at })
  const [lead] = await leadsOf(service, programId)
  const [commission, ...others] = await program.commissions()
  expect(others).toEqual([])
  return { program, ended: { isConfirmed: lead?.confirmedAt !== null, state: commission.state } }
}

const CASES: [Model, string, (event: Step) => Step[], { isConfirmed: boolean; state: string }][] = [
  [
    ...(['last_click', 'made while only the other partner had been clicked, waits'] as const),
    (event) => ['rival', event, 'taker'],
    { isConfirmed: true, state: 'review' },
  ],
  [
    ...(['last_click', 'made while the other partner had the last click, waits'] as const),
    (event) => ['taker', 'rival', event, 'taker'],
    { isConfirmed: true, state: 'review' },
  ],
  [
    ...(['last_click', 'made between two clicks of the partner, earns'] as const),
    (event) => ['rival', 'taker', event, 'taker'],
    { isConfirmed: true, state: 'payable' },
  ],
  [
    ...(['first_click', 'made while only the other partner had been clicked, waits'] as const),
    (event) => ['rival', event, 'taker'],
    { isConfirmed: false, state: 'review' },
  ],
  [
    ...(['first_click', 'made after the partner’s first click and another’s, earns'] as const),
    (event) => ['taker', 'rival', event, 'taker'],
    { isConfirmed: true, state: 'payable' },
  ],
]

for (const event of ['sale', 'payment'] as const)
  describe(`a ${event} of a customer confirmed by a record with clicks of two partners`, () => {
    test.each(CASES)('%s: %s', async (model, _, stepsWith, expected) => {
      const { program, ended } = await given(model, stepsWith(event))
      expect(ended).toEqual(expected)
      await expectVerified(service, program)
    })

    test('waits if the clicks before it are no longer stored', async () => {
      const forgotten = () => sql`TRUNCATE click_events`.execute(service.db)
      const { ended } = await given('last_click', ['taker', event, 'taker'], forgotten)
      expect(ended).toEqual({ isConfirmed: true, state: 'review' })
    })
  })
