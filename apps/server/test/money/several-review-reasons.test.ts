import { describe, expect, test } from 'bun:test'
import { commissionRow } from '@tributary/contract'
import { nameOf, TEN_PERCENT } from '../explain/given-explained.ts'
import { browserLead, expectRefusal } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { expectVerified, type GivenUnverified, givenUnverified } from './given-unverified.ts'

const service = await givenService()

const given = async (reward?: object) => {
  const program = await givenUnverified(service, reward)
  return {
    ...program,
    setStatus: (status: string) =>
      program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { status }),
    buyLater: async () => {
      service.clock.advance(1_000)
      return program.buy()
    },
  }
}

const shown = async ({ commissions }: GivenUnverified) =>
  (await commissions()).map((row: unknown) => {
    const { state, reviewReason, reviewReasons } = commissionRow.parse(row)
    return [state, reviewReason, reviewReasons]
  })

const BOTH = [['review', 'partner_suspended', ['partner_suspended', 'unverified_customer']]]
const SUSPENDED = [['review', 'partner_suspended', ['partner_suspended']]]

describe('a commission held for several reasons', () => {
  test('shows them all, and stays held when only one is resolved', async () => {
    const program = await given()
    await program.signUp()
    await program.setStatus('suspended')
    const { commission_id } = await program.buyLater()
    expect(await shown(program)).toEqual(BOTH)
    await program.confirm()
    expect(await shown(program)).toEqual(SUSPENDED)
    expect(await program.balance()).toMatchObject({ reviewCents: 1_000, payableCents: 0 })
    await program.setStatus('approved')
    expect(await shown(program)).toEqual(SUSPENDED)
    await program.review(commission_id, 'released')
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 1_000 })
    await expectVerified(service, program)
  })

  test('stays held if the partner was suspended after the sale', async () => {
    const program = await given()
    await program.signUp()
    await program.buyLater()
    await program.setStatus('rejected')
    await program.confirm()
    expect(await shown(program)).toEqual(SUSPENDED)
    expectRefusal(await program.owner.call('POST', `${program.api}/payouts`), 409, 'conflict')
    await expectVerified(service, program)
  })

  test('is released if the partner was reinstated before the confirmation and no other reason is left', async () => {
    const program = await given()
    await program.signUp()
    await program.buyLater()
    await program.setStatus('suspended')
    await program.setStatus('approved')
    await program.confirm()
    expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 1_000 })
  })

  test('stays held for a reason that needs a manual decision', async () => {
    const program = await given({ ...TEN_PERCENT, lead: { amountCents: 250 } })
    const email = 'maya@example.com'
    await nameOf(service, program.link, 'Maya', email)
    await browserLead(service, { click_id: program.click_id, customer_key: program.customer_key, email })
    await program.buyLater()
    const held = (reasons: string[]) => ['review', 'customer_is_partner', reasons]
    const both = held(['customer_is_partner', 'unverified_customer'])
    expect(await shown(program)).toEqual([both, both])
    await program.confirm()
    expect(await shown(program)).toEqual([held(['customer_is_partner']), held(['customer_is_partner'])])
    expect(await program.balance()).toMatchObject({ reviewCents: 1_250, payableCents: 0 })
    await expectVerified(service, program)
  })

  test('is released for sales after another click of the partner, and keeps both reasons before it', async () => {
    const program = await given()
    await program.signUp()
    await program.setStatus('suspended')
    await program.buyLater()
    await program.setStatus('approved')
    await program.buyLater()
    await program.lead({ customer_key: program.customer_key, click_id: program.another_click_id })
    expect(await program.balance()).toMatchObject({ reviewCents: 1_000, payableCents: 1_000 })
    await expectVerified(service, program)
  })

  test('is explained with every reason that still holds, and no others', async () => {
    const program = await given()
    await program.signUp()
    await program.setStatus('suspended')
    const { sale_id } = await program.buyLater()
    const words = async () => (await program.explainSale(sale_id)).sentences.join(' ')
    expect(await words()).toContain('which went to review because the partner was suspended.')
    expect(await words()).toContain('Only a browser has reported the lead')
    expect(await words()).toContain('Send the lead from your server')
    await program.confirm()
    expect(await words()).toContain('which went to review because the partner was suspended.')
    expect(await words()).not.toContain('browser')
  })

  test('is explained by the reason that replaced the first one', async () => {
    const program = await given()
    await program.signUp()
    const { sale_id } = await program.buyLater()
    await program.setStatus('suspended')
    await program.confirm()
    const words = (await program.explainSale(sale_id)).sentences.join(' ')
    expect(words).toContain('The partner was suspended.')
    expect(words).toContain('Reinstating the partner does not approve it.')
    expect(words).not.toContain('Send the lead from your server')
  })
})
