import { describe, expect, test } from 'bun:test'
import { browserLead, givenClick, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { expectVerified, givenUnverified, IN_REVIEW, PAID } from './given-unverified.ts'

const service = await givenService()

const FOR_LEADS = { lead: { amountCents: 250 }, sale: null, holdDays: 0 }
const given = (reward: object | null = FOR_LEADS) => givenUnverified(service, reward)
type Given = Awaited<ReturnType<typeof given>>

describe('the commission for a lead that only a browser reported', () => {
  test('waits for review, and explain says why and what to do', async () => {
    const program = await given()
    const { lead_id } = (await program.signUp()).body
    expect(await program.states()).toEqual([IN_REVIEW])
    expect(await program.balance()).toMatchObject({ reviewCents: 250, payableCents: 0 })
    const words = (await program.explainLead(lead_id)).sentences.join(' ')
    expect(words).toContain('only a browser has reported the lead')
    expect(words).toContain('Send the lead from your server')
    await expectVerified(service, program)
  })

  test('waits for review if the lead was provisional before', async () => {
    const program = await given()
    const { click_id } = program
    await service.db.updateTable('programs').set({ leadAuth: 'server_required' }).where('id', '=', program.id).execute()
    expect((await program.signUp()).body).toMatchObject({ provisional: true })
    await service.db.updateTable('programs').set({ leadAuth: 'browser_allowed' }).where('id', '=', program.id).execute()
    await browserLead(service, { click_id, customer_key: unique('customer') })
    expect(await program.states()).toEqual([IN_REVIEW])
  })

  const CONFIRMATIONS = {
    'a server lead with the same click': (program: Given) => program.confirm(),
    'a server lead with another click of the partner, even a later one': async (program: Given) =>
      program.lead({ customer_key: program.customer_key, click_id: await givenClick(service, program.link) }),
    'a payment with the same click': ({ tell, id: programId, customer_key: customerKey, click_id: clickId }: Given) =>
      tell(['pi_1'], PAID, { programId, customerKey, clickId }),
  }
  for (const [name, confirm] of Object.entries(CONFIRMATIONS))
    test(`is released by ${name}, once`, async () => {
      const program = await given()
      await program.signUp()
      service.clock.advance(1_000)
      await confirm(program)
      await confirm(program)
      expect(await program.states()).toEqual([['payable', 'unverified_customer']])
      expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 250 })
      await expectVerified(service, program)
    })

  test('is not released by the key alone, nor by another partner’s click', async () => {
    const program = await given()
    await program.signUp()
    await program.lead({ customer_key: program.customer_key })
    await program.lead({ customer_key: program.customer_key, click_id: await givenClick(service, program.rival) })
    expect(await program.states()).toEqual([IN_REVIEW])
  })

  test('under the first terms waits for review too, unless the customer was confirmed', async () => {
    for (const isConfirmed of [false, true]) {
      const program = await given(null)
      await program.signUp()
      if (isConfirmed) await program.confirm()
      service.clock.advance(1_000)
      const reward = { ...FOR_LEADS, minimumPayoutCents: 0, applyToEarlier: true }
      expect((await program.owner.call('PUT', `${program.api}/reward`, reward)).status).toBe(200)
      expect(await program.states()).toEqual([isConfirmed ? ['payable', null] : IN_REVIEW])
      await program.confirm()
      expect(await program.balance()).toMatchObject({ reviewCents: 0, payableCents: 250 })
      await expectVerified(service, program)
    }
  })

  test('is not held if the server reported the lead', async () => {
    const program = await given()
    await program.confirm()
    expect(await program.states()).toEqual([['payable', null]])
  })
})
