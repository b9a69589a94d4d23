import { describe, expect, test } from 'bun:test'
import { givenClick } from '../support/given.ts'
import { leadsOf, salesOf } from '../support/records.ts'
import { givenService } from '../support/shared-service.ts'
import { expectVerified, type GivenUnverified, givenUnverified, IN_REVIEW, PAID } from './given-unverified.ts'

const service = await givenService()

const later = () => service.clock.advance(1_000)
const attributionOf = ({ id: programId, customer_key: customerKey }: GivenUnverified) => ({
  programId,
  customerKey,
  clickId: null,
})

/** A browser lead, and the times before it, after it and after the click that confirms the customer. */
const givenConfirmed = async (reward?: object) => {
  const program = await givenUnverified(service, reward)
  const beforeLead = service.clock.now()
  later()
  await program.signUp()
  later()
  const beforeClick = service.clock.now()
  later()
  const click_id = await givenClick(service, program.link)
  later()
  await program.lead({ customer_key: program.customer_key, click_id })
  expect(await leadsOf(service, program.id)).toMatchObject([{ confirmedAt: expect.any(Date) }])
  later()
  return { ...program, beforeLead, beforeClick, afterClick: service.clock.now() }
}

describe('a payment reported after another click confirmed the customer', () => {
  test('is not credited if it was made before the lead', async () => {
    const program = await givenConfirmed()
    await program.tell(['pi_1'], PAID, attributionOf(program), { at: program.beforeLead })
    expect(await salesOf(service, program.id)).toMatchObject([{ clickId: null }])
    expect(await program.commissions()).toEqual([])
    await expectVerified(service, program)
  })

  test('waits for review if it was made after the lead and before that click', async () => {
    const program = await givenConfirmed()
    await program.tell(['pi_1'], PAID, attributionOf(program), { at: program.beforeClick })
    expect(await program.states()).toEqual([IN_REVIEW])
    expect(await program.balance()).toMatchObject({ reviewCents: 1_000, payableCents: 0 })
    await expectVerified(service, program)
  })

  test('earns if it was made after that click', async () => {
    const program = await givenConfirmed()
    await program.tell(['pi_1'], PAID, attributionOf(program), { at: program.afterClick })
    expect(await program.states()).toEqual([['payable', null]])
    await expectVerified(service, program)
  })

  test('waits for review once it turns out to have been made before that click', async () => {
    const program = await givenConfirmed()
    await program.tell(['pi_1'], PAID, attributionOf(program), { at: program.afterClick })
    await program.tell(['pi_1'], { ...PAID, source: 'invoice' }, attributionOf(program), {
      at: program.beforeClick,
    })
    expect(await program.balance()).toMatchObject({ reviewCents: 1_000, payableCents: 0 })
    await expectVerified(service, program)
  })

  test('waits for review if it earns late, because it turns out to be the first sale', async () => {
    const program = await givenConfirmed({ sale: { amountCents: 500, duration: 'first' }, holdDays: 0 })
    await program.buy({ invoice_id: 'after' })
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 500 })
    await program.tell(['pi_1'], PAID, attributionOf(program), { at: program.beforeClick })
    expect(await program.balance()).toMatchObject({ reviewCents: 500, payableCents: 0 })
    await expectVerified(service, program)
  })
})

test('the browser’s own click, named later, covers the rest: reviews are released and waiting sales credited', async () => {
  const program = await givenConfirmed()
  await program.tell(['pi_early'], PAID, attributionOf(program), { at: program.beforeLead })
  await program.tell(['pi_mid'], PAID, attributionOf(program), { at: program.beforeClick })
  expect(await program.balance()).toMatchObject({ reviewCents: 1_000, payableCents: 0 })
  for (let calls = 0; calls < 2; calls++) {
    await program.confirm()
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 2_000 })
  }
  await program.tell(['pi_later'], PAID, attributionOf(program), { at: program.beforeClick })
  expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 3_000 })
  await expectVerified(service, program)
})
