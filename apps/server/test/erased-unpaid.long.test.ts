import { describe, expect, test } from 'bun:test'
import { rewardRequest } from '@tributary/contract'
import { inTransaction } from '../src/database/transaction.ts'
import { findProgram } from '../src/programs/programs.ts'
import { beginRewardBackfill } from '../src/tracking/sales/apply-to-earlier.ts'
import { finishBackfills } from '../src/tracking/sales/backfill-reward.ts'
import { givenExplained } from './explain/given-explained.ts'
import { foundIn } from './support/every-column.ts'
import { givenClick, unique } from './support/given.ts'
import { SECRETS } from './support/service.ts'
import { givenService } from './support/shared-service.ts'
import { verifyProgram } from './support/verify-program.ts'

const service = await givenService()

const FOR_LEADS = { lead: { amountCents: 250 }, sale: null, holdDays: 0, minimumPayoutCents: 0 }
const FIRST_SALE = { lead: null, sale: { amountCents: 500, duration: 'first' }, holdDays: 0, minimumPayoutCents: 0 }

/** A program without terms, and a customer who signed up and bought after one click. */
const given = async (reward: object | null = null) => {
  const program = await givenExplained(service, reward)
  const customer_key = unique('customer')
  const later = () => service.clock.advance(1_000)
  const signUp = async () => {
    later()
    return (await program.lead({ customer_key, click_id: await givenClick(service, program.link) })).body
  }
  const buy = async (more: object = {}) => {
    later()
    return (await program.sale({ customer_key, amount: 10_000, invoice_id: unique('invoice'), ...more })).body
  }
  const buyByNewClick = async () => buy({ click_id: await givenClick(service, program.link) })
  const erase = async () => {
    later()
    await program.owner.call('POST', `${program.api}/customers/erase`, { customerKey: customer_key })
    expect(await foundIn(service.pool, customer_key)).toEqual([])
  }
  const setTerms = async (terms: object, applyToEarlier = true) => {
    later()
    const change = { ...terms, ...(applyToEarlier && { applyToEarlier }) }
    const { status } = await program.owner.call('PUT', `${program.api}/reward`, change)
    expect(status).toBe(200)
    later()
  }
  const expectPaid = async (payableCents: number) => {
    expect(await program.balance()).toMatchObject({ payableCents, reviewCents: 0 })
    expect((await verifyProgram(service.db, { programId: program.id, sealedBefore: null })).differences).toEqual([])
  }
  await signUp()
  await buy()
  return { ...program, customer_key, signUp, buy, buyByNewClick, erase, setTerms, expectPaid }
}

describe('a customer erased before the program had terms', () => {
  test('is paid once as a lead if reported again before the terms are applied to earlier events', async () => {
    const program = await given()
    await program.erase()
    await program.signUp()
    const { body } = await program.owner.call('GET', `${program.api}/reward/earlier`)
    expect(body.data).toMatchObject({ leads: 1 })
    await program.setTerms(FOR_LEADS)
    await program.expectPaid(250)
  })

  test('is paid once as a lead if reported again after that', async () => {
    const program = await given()
    await program.erase()
    await program.setTerms(FOR_LEADS)
    const { lead_id } = await program.signUp()
    const { timeline } = await program.explainLead(lead_id)
    expect(timeline).toContainEqual(expect.objectContaining({ reason: 'lead_already_rewarded' }))
    await program.expectPaid(250)
  })

  test('is paid once as a lead if erased twice', async () => {
    const program = await given()
    await program.erase()
    await program.signUp()
    await program.erase()
    await program.setTerms(FOR_LEADS)
    await program.signUp()
    await program.expectPaid(250)
  })

  test('has one first sale across the change of terms', async () => {
    const program = await given()
    await program.erase()
    await program.signUp()
    await program.buy()
    await program.setTerms(FIRST_SALE)
    await program.expectPaid(500)
    await program.erase()
    await program.signUp()
    expect(await program.buy()).toMatchObject({ attributed: true, commission_id: null })
    await program.expectPaid(500)
  })

  test('has one first sale, also with clicks and no lead', async () => {
    const program = await given()
    await program.erase()
    await program.buyByNewClick()
    await program.setTerms(FIRST_SALE)
    await program.buyByNewClick()
    await program.expectPaid(500)
  })

  test('is paid as a new customer if the terms only apply from then on', async () => {
    const program = await given()
    await program.erase()
    await program.setTerms({ ...FIRST_SALE, lead: { amountCents: 250 } }, false)
    await program.signUp()
    await program.buy()
    await program.expectPaid(750)
  })

  test('is paid as a lead later if the applied terms paid nothing for leads', async () => {
    const program = await given()
    await program.erase()
    await program.setTerms(FIRST_SALE)
    await program.setTerms(FOR_LEADS, false)
    await program.signUp()
    await program.expectPaid(750)
  })

  test('is paid once if erased while the terms were being applied', async () => {
    const program = await given()
    service.clock.advance(1_000)
    const found = await findProgram(service.db, program.id)
    if (!found) throw new Error('no program')
    const request = rewardRequest.parse({ ...FIRST_SALE, lead: { amountCents: 250 } })
    const applying = { program: found, request, userId: 'nobody', at: service.clock.now() }
    await inTransaction(service.db, (tx) => beginRewardBackfill(tx, applying))
    await program.erase()
    await program.signUp()
    await program.buy()
    await program.buyByNewClick()
    await finishBackfills({ db: service.db, clock: service.clock.now, hashKey: SECRETS.hashKey })
    await program.expectPaid(750)
  })
})

describe('a customer erased after the first sale was paid', () => {
  test('has no second first sale from a new click', async () => {
    const program = await given(FIRST_SALE)
    await program.erase()
    expect(await program.buyByNewClick()).toMatchObject({ attributed: true, commission_id: null })
    await program.expectPaid(500)
  })

  test('does not use up the first sale of another customer who buys after the same click', async () => {
    const program = await given(FIRST_SALE)
    await program.erase()
    const click_id = await givenClick(service, program.link)
    await program.buy({ click_id })
    await program.buy({ click_id, customer_key: unique('customer') })
    await program.expectPaid(1_000)
  })

  test('is recognized if a payment names the key only later', async () => {
    const program = await given(FIRST_SALE)
    await program.erase()
    const clickId = await givenClick(service, program.link)
    const paid = { kind: 'paid', grossCents: 10_000, netCents: null, currency: 'USD', subscriptionId: null } as const
    const at = service.clock.now()
    service.clock.advance(1_000)
    const named = { programId: program.id, clickId }
    await program.tell(['pi_1'], { ...paid, source: 'payment' }, { ...named, customerKey: null }, { at })
    const known = { ...named, customerKey: program.customer_key }
    await program.tell(['pi_1'], { ...paid, source: 'invoice' }, known, { at })
    await program.expectPaid(500)
  })

  test('keeps counting months from that sale, also after a new click', async () => {
    const months = { sale: { percentBps: 1_000, duration: 'months', months: 1 }, holdDays: 0 }
    const program = await given(months)
    await program.erase()
    await program.buyByNewClick()
    await program.expectPaid(2_000)
    service.clock.advance(32 * 86_400_000)
    expect(await program.buyByNewClick()).toMatchObject({ commission_id: null })
    await program.expectPaid(2_000)
  })
})
