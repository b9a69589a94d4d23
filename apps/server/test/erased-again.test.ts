import { expect, test } from 'bun:test'
import { givenExplained, TEN_PERCENT } from './explain/given-explained.ts'
import { foundIn } from './support/every-column.ts'
import { browserLead, givenClick, unique } from './support/given.ts'
import { DAY_MS } from './support/service.ts'
import { givenService } from './support/shared-service.ts'
import { sized } from './support/size.ts'
import { verifyProgram } from './support/verify-program.ts'

const service = await givenService()

/** A customer who signed up, bought, was erased and is reported again. */
const given = async (reward: object, settings: Parameters<typeof givenExplained>[2] = {}) => {
  const program = await givenExplained(service, reward, settings)
  const customer_key = unique('customer')
  const lead = async () =>
    (await program.lead({ customer_key, click_id: await givenClick(service, program.link) })).body
  const buy = async (more: object = {}) =>
    (await program.sale({ customer_key, amount: 10_000, invoice_id: unique('invoice'), ...more })).body
  const erase = () => program.owner.call('POST', `${program.api}/customers/erase`, { customerKey: customer_key })
  const expectVerified = async () =>
    expect((await verifyProgram(service.db, { programId: program.id, sealedBefore: null })).differences).toEqual([])
  return { ...program, customer_key, again: lead, buy, erase, expectVerified }
}

test('an erased customer who is reported again earns no second commission for the lead, and explain says why', async () => {
  const program = await given({ ...TEN_PERCENT, lead: { amountCents: 250 } })
  await program.again()
  for (let erasures = 0; erasures < 2; erasures++) {
    await program.erase()
    expect(await foundIn(service.pool, program.customer_key)).toEqual([])
    const { lead_id, duplicate } = await program.again()
    expect(duplicate).toBeUndefined()
    const { timeline } = await program.explainLead(lead_id)
    expect(timeline).toContainEqual(expect.objectContaining({ event: 'commission', reason: 'lead_already_rewarded' }))
  }
  expect(await program.balance()).toMatchObject({ payableCents: 250 })
  await program.expectVerified()
})

test('a customer who earned nothing for the lead before the erasure earns it once', async () => {
  const program = await given(TEN_PERCENT)
  await program.again()
  await program.erase()
  await program.owner.call('PUT', `${program.api}/reward`, {
    lead: { amountCents: 250 },
    sale: null,
    holdDays: 0,
    minimumPayoutCents: 0,
  })
  service.clock.advance(1_000)
  await program.again()
  expect(await program.balance()).toMatchObject({ payableCents: 250 })
  await program.expectVerified()
})

test('the first sale is paid once, even across an erasure', async () => {
  const program = await given({ sale: { amountCents: 500, duration: 'first' }, holdDays: 0 })
  await program.again()
  await program.buy()
  await program.erase()
  await program.again()
  service.clock.advance(1_000)
  expect(await program.buy()).toMatchObject({ attributed: true, commission_id: null })
  expect(await program.balance()).toMatchObject({ payableCents: 500 })
  await program.expectVerified()
})

test('a sale attributed by its click before the lead is not the first one either', async () => {
  const program = await given({ sale: { amountCents: 500, duration: 'first' }, holdDays: 0 })
  await program.again()
  await program.buy()
  await program.erase()
  const click_id = await givenClick(service, program.link)
  service.clock.advance(1_000)
  await program.buy({ click_id })
  await program.lead({ customer_key: program.customer_key, click_id })
  expect(await program.balance()).toMatchObject({ payableCents: 500 })
  await program.expectVerified()
})

test('the months of a reward start with the first sale before the erasure', async () => {
  const program = await given({ sale: { percentBps: 1_000, duration: 'months', months: 2 }, holdDays: 0 })
  await program.again()
  await program.buy()
  service.clock.advance(45 * DAY_MS)
  await program.erase()
  await program.again()
  await program.buy()
  expect(await program.balance()).toMatchObject({ payableCents: 2_000 })
  service.clock.advance(30 * DAY_MS)
  expect(await program.buy()).toMatchObject({ commission_id: null })
  await program.expectVerified()
})

const FOR_LEADS = { lead: { amountCents: 250 }, sale: null, holdDays: 0, minimumPayoutCents: 0 }
const FIRST_SALE = { sale: { amountCents: 500, duration: 'first' }, holdDays: 0 }
type Given = Awaited<ReturnType<typeof given>>

/** How the commission for a browser-reported customer ended before the erasure. */
const ENDS: { how: string; end: (program: Given, id: number) => Promise<unknown>; rivalEarns: boolean }[] = [
  { how: 'rejected', end: (program, id) => program.review(id, 'rejected'), rivalEarns: true },
  {
    how: 'released and then voided',
    end: async (program, id) => {
      await program.review(id, 'released')
      await program.void(id, 'not their customer')
    },
    rivalEarns: true,
  },
  { how: 'still in review', end: async () => {}, rivalEarns: false },
  { how: 'released', end: (program, id) => program.review(id, 'released'), rivalEarns: false },
  {
    how: 'paid and then voided',
    end: async (program, id) => {
      await program.review(id, 'released')
      const { id: payoutId, lines } = await program.pay()
      const paid = await program.decide(payoutId, lines[0].id, { status: 'paid' })
      expect(paid.status).toBe(200)
      await program.void(id, 'not their customer')
    },
    rivalEarns: false,
  },
]

const EXAMPLES = sized({ short: ENDS.filter(({ how }) => how === 'rejected' || how === 'still in review'), long: ENDS })

test.each(EXAMPLES)('a commission that was $how: another partner earns for the lead, $rivalEarns', async (one) => {
  const program = await given(FOR_LEADS, { leadAuth: 'browser_allowed' })
  const { customer_key } = program
  await browserLead(service, { customer_key, click_id: await givenClick(service, program.link) })
  const [commission] = await program.commissions()
  expect(commission).toMatchObject({ kind: 'lead', state: 'review' })
  await one.end(program, commission.id)
  await program.erase()
  await program.lead({ customer_key, click_id: await givenClick(service, program.rival) })
  const earned = await program.balance(program.rival.partnerId)
  expect(earned?.payableCents ?? 0).toBe(one.rivalEarns ? 250 : 0)
  await program.expectVerified()
})

test.each(
  EXAMPLES,
)('a commission that was $how: another partner earns for the first sale, $rivalEarns', async (one) => {
  const program = await given(FIRST_SALE, { leadAuth: 'browser_allowed' })
  const { customer_key } = program
  await browserLead(service, { customer_key, click_id: await givenClick(service, program.link) })
  service.clock.advance(1_000)
  await program.buy()
  const [commission] = await program.commissions()
  expect(commission).toMatchObject({ kind: 'sale', state: 'review' })
  await one.end(program, commission.id)
  await program.erase()
  await program.lead({ customer_key, click_id: await givenClick(service, program.rival) })
  service.clock.advance(1_000)
  await program.buy()
  const earned = await program.balance(program.rival.partnerId)
  expect(earned?.payableCents ?? 0).toBe(one.rivalEarns ? 500 : 0)
  await program.expectVerified()
})
