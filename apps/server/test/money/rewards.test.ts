import { describe, expect, test } from 'bun:test'
import { rewardInEffect } from '@tributary/contract'
import { expectRefusal } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

describe('the reward of a program', () => {
  test('defaults to no terms, a hold period of 30 days and a minimum of 0', async () => {
    const program = await givenPayingProgram(service, {})
    const { body } = await program.owner.call('GET', `${program.api}/reward`)
    expect(rewardInEffect.parse(body.data)).toMatchObject({
      lead: null,
      sale: null,
      holdDays: 30,
      minimumPayoutCents: 0,
      currency: 'USD',
    })
    expect((await givenSale(program, 1_000)).commission_id).toBeNull()
  })

  test('is versioned: a change applies from now on and recomputes nothing', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    await program.owner.call('PUT', `${program.api}/reward`, {
      sale: { amountCents: 777, duration: 'lifetime' },
      holdDays: 0,
    })
    await givenSale(program, 1_000)
    expect(await program.commissions()).toMatchObject([
      { amountCents: 777, termsVersion: 2 },
      { amountCents: 100, termsVersion: 1 },
    ])
  })

  test('may be custom for a partner, until that is removed', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const path = `${program.api}/partners/${program.link.partnerId}/reward`
    expect(
      (await program.owner.call('PUT', path, { sale: { percentBps: 5_000, duration: 'lifetime' }, holdDays: 0 })).body
        .data,
    ).toMatchObject({ own: true })
    await givenSale(program, 1_000)
    expect((await program.owner.call('DELETE', path)).body.data).toMatchObject({
      own: false,
      sale: { percentBps: 1_000 },
    })
    await givenSale(program, 1_000)
    expect(await program.commissions()).toMatchObject([{ amountCents: 100 }, { amountCents: 500 }])
  })

  test('cannot be changed based on a stale version', async () => {
    const program = await givenPayingProgram(service, {})
    const { owner, api, link } = program
    for (const path of [`${api}/reward`, `${api}/partners/${link.partnerId}/reward`]) {
      const { version } = (await owner.call('GET', path)).body.data
      const change = (holdDays: number) => owner.call('PUT', path, { holdDays, replaces: version })
      const answers = await Promise.all([change(1), change(2)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expectRefusal(await change(3), 409, 'conflict')
      const saved = answers.find(({ status }) => status === 200)?.body.data
      expect((await owner.call('GET', path)).body.data).toEqual(saved)
      expect((await owner.call('PUT', path, { holdDays: 4, replaces: saved.version })).status).toBe(200)
      // Without a version, the change applies to whatever is in force.
      expect((await owner.call('PUT', path, { holdDays: 5 })).status).toBe(200)
    }
    expectRefusal(await owner.call('PUT', `${api}/reward`, { replaces: 'one' }), 400, 'invalid_request')
  })

  const wrong: object[] = [
    { sale: { percentBps: 0, duration: 'lifetime' } },
    { sale: { percentBps: 10_001, duration: 'lifetime' } },
    { sale: { percentBps: 10.5, duration: 'lifetime' } },
    { sale: { percentBps: 1, amountCents: 1, duration: 'lifetime' } },
    { sale: { duration: 'lifetime' } },
    { sale: { percentBps: 1, duration: 'months' } },
    { sale: { percentBps: 1, duration: 'first', months: 3 } },
    { sale: { percentBps: 1, duration: 'weeks' } },
    { lead: { amountCents: 0 } },
    { lead: { amountCents: -5 } },
    { lead: { amountCents: 1.5 } },
    { holdDays: -1 },
    { holdDays: 366 },
    { minimumPayoutCents: -1 },
    { salle: { percentBps: 1, duration: 'lifetime' } },
  ]
  for (const request of wrong)
    test(`is rejected if it makes no sense: ${JSON.stringify(request)}`, async () => {
      const program = await givenPayingProgram(service, TEN_PERCENT)
      const before = (await program.owner.call('GET', `${program.api}/reward`)).body
      expectRefusal(await program.owner.call('PUT', `${program.api}/reward`, request), 400, 'invalid_request')
      expect((await program.owner.call('GET', `${program.api}/reward`)).body).toEqual(before)
    })

  test('is in the program’s currency', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    expectRefusal(
      await program.owner.call('PUT', `${program.api}/reward`, { lead: { amountCents: 5 }, currency: 'EUR' }),
      400,
      'invalid_currency',
    )
  })

  const amounts: object[] = [
    { lead: { amountCents: 250 } },
    { sale: { amountCents: 250, duration: 'first' } },
    { minimumPayoutCents: 1 },
  ]
  for (const named of amounts)
    test(`with an amount fixes the program’s currency: ${JSON.stringify(named)}`, async () => {
      for (const of of ['', '/partners/:id']) {
        const program = await givenPayingProgram(service, TEN_PERCENT)
        const path = `${program.api}${of.replace(':id', String(program.link.partnerId))}/reward`
        expect((await program.owner.call('PUT', path, named)).status).toBe(200)
        const refused = await program.owner.call('PATCH', program.api, { currency: 'EUR', name: 'New' })
        expectRefusal(refused, 409, 'conflict')
        expect(refused.body.error).toMatchObject({ field: 'currency', message: expect.stringContaining('in EUR') })
        expect((await program.owner.call('GET', program.api)).body.data).toMatchObject({
          name: 'Test',
          currency: 'USD',
        })
        expect((await program.owner.call('PATCH', program.api, { currency: 'USD' })).status).toBe(200)
        await program.owner.call(of === '' ? 'PUT' : 'DELETE', path, TEN_PERCENT)
        expect((await program.owner.call('PATCH', program.api, { currency: 'EUR' })).status).toBe(200)
        await program.owner.call('PUT', path, { lead: { amountCents: 300 } })
        await program.customer()
        expect(await program.commissions()).toMatchObject([{ amountCents: 300, currency: 'EUR' }])
      }
    })

  test('may be sent back unchanged, even after the program’s currency changed', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const own = `${program.api}/partners/${program.link.partnerId}/reward`
    await program.owner.call('PUT', own, { ...TEN_PERCENT, holdDays: 3 })
    expect((await program.owner.call('PATCH', program.api, { currency: 'EUR' })).status).toBe(200)
    for (const path of [`${program.api}/reward`, own]) {
      const { data } = (await program.owner.call('GET', path)).body
      expect(data.currency).toBe('EUR')
      const sent = await program.owner.call('PUT', path, data)
      expect(sent).toMatchObject({ status: 200, body: { data: { sale: data.sale, currency: 'EUR' } } })
    }
  })

  test('set while the currency changes is in one currency, or one of the two calls is rejected', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await Promise.all([
      program.owner.call('PATCH', program.api, { currency: 'EUR' }),
      program.owner.call('PUT', `${program.api}/reward`, { lead: { amountCents: 250 } }),
    ])
    const { data } = (await program.owner.call('GET', program.api)).body
    expect(data.reward).toMatchObject({ lead: { amountCents: 250 }, currency: data.currency })
  })
})
