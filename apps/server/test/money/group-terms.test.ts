import { describe, expect, test } from 'bun:test'
import { applyTierRules } from '../../src/tracking/groups/apply-tier-rules.ts'
import { periodStart } from '../../src/tracking/groups/tier-progress.ts'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenClick, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale, type PayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const percent = (percentBps: number) => ({ sale: { percentBps, duration: 'lifetime' }, holdDays: 0 })
const REWARD = { ...percent(1_000), holdDays: 10 }

const givenGroup = async ({ owner, api }: PayingProgram, name: string, reward: object | null, more: object = {}) => {
  const { body } = await owner.call('POST', `${api}/groups`, { name, ...more })
  if (reward) expect((await owner.call('PUT', `${api}/groups/${body.data.id}/reward`, reward)).status).toBe(200)
  return body.data.id as number
}
const move = async ({ owner, api, link }: PayingProgram, groupId: number) =>
  expect((await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { groupId })).status).toBe(200)
const defaultOf = async ({ owner, api }: PayingProgram) => (await owner.call('GET', `${api}/groups`)).body.data[0].id
const partnerOf = async ({ owner, api, link }: PayingProgram) =>
  (await owner.call('GET', `${api}/partners/${link.partnerId}`)).body.data
const commissionOf = async (program: PayingProgram, { sale_id }: { sale_id: number }) =>
  (await program.commissions()).find(({ saleId }: { saleId: number }) => saleId === sale_id)
const applyTiers = () => applyTierRules({ db: service.db, clock: service.clock.now })
const differencesIn = async ({ id: programId }: PayingProgram) =>
  (await verifyProgram(service.db, { programId, sealedBefore: null })).differences
const explain = async ({ owner, api }: PayingProgram, { sale_id }: { sale_id: number }): Promise<string> =>
  (await owner.call('GET', `${api}/sales/${sale_id}/explain`)).body.data.sentences.join(' ')

describe('the terms of a group', () => {
  test('apply from the move on: custom terms first, then the group’s, then the default group’s', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const gold = await givenGroup(program, 'Gold', percent(3_000))
    const plain = await givenGroup(program, 'Plain', null)
    const before = await givenSale(program, 1_000)
    await move(program, gold)
    const during = await givenSale(program, 1_000)
    const custom = `${program.api}/partners/${program.link.partnerId}/reward`
    await program.owner.call('PUT', custom, percent(5_000))
    expect((await partnerOf(program)).reward).toMatchObject({ own: true, sale: { percentBps: 5_000 } })
    const own = await givenSale(program, 1_000)
    await program.owner.call('DELETE', custom)
    expect((await partnerOf(program)).reward).toMatchObject({ own: false, sale: { percentBps: 3_000 } })
    const again = await givenSale(program, 1_000)
    await move(program, plain)
    const inherited = await givenSale(program, 1_000)
    const amounts = []
    for (const sale of [before, during, own, again, inherited]) {
      const { amountCents, groupName } = await commissionOf(program, sale)
      amounts.push([amountCents, groupName])
    }
    expect(amounts).toEqual([
      [100, 'Default'],
      [300, 'Gold'],
      [500, 'Gold'],
      [300, 'Gold'],
      [100, 'Plain'],
    ])
    expect(await commissionOf(program, during)).toMatchObject({ state: 'payable' })
    expect(await commissionOf(program, before)).toMatchObject({ state: 'held' })
    expect(await differencesIn(program)).toEqual([])
    const texts = [await explain(program, before), await explain(program, during), await explain(program, own)]
    expect(texts[0]).toContain('under the program’s default terms (version ')
    expect(texts[1]).toContain('under the terms of the group Gold (version ')
    expect(texts[2]).toContain('under the partner’s custom terms (version ')
    const filtered = await program.owner.call('GET', `${program.api}/commissions?groupId=${gold}`)
    expect(filtered.body.meta.pagination.total).toBe(3)
    const csv = async (path: string) =>
      (await fetch(`${service.url}${program.api}/${path}`, { headers: { cookie: program.owner.cookie } })).text()
    const linesOf = async (path: string) => (await csv(path)).trim().split('\r\n').length - 1
    for (const path of ['commissions?format=csv', 'export/commissions.csv', 'export/partners.csv']) {
      const [header, row] = (await csv(path)).split('\r\n')
      expect(header).toEndWith('group')
      expect(row).toEndWith('Plain')
    }
    const [names = [], ...sales] = (await csv('export/sales.csv'))
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    expect(sales.map((cells) => cells[names.indexOf('group')])).toEqual(['Default', 'Gold', 'Gold', 'Gold', 'Plain'])
    const ofGold = (file: string) => linesOf(`export/${file}.csv?groupId=${gold}`)
    expect([await ofGold('commissions'), await ofGold('sales'), await ofGold('partners')]).toEqual([3, 3, 0])
    const board = async (groupId: number) =>
      (await program.owner.call('GET', `/api/tracking/breakdown/${program.id}?by=partner&groupId=${groupId}`)).body.data
    expect((await board(plain)).rows).toMatchObject([{ label: 'Partner', groupName: 'Plain', sales: 5 }])
    expect((await board(gold)).rows).toEqual([])
    const { body } = await program.owner.call('GET', `/api/tracking/breakdown/${program.id}?by=group`)
    expect(body.data.rows).toMatchObject([{ value: String(plain), label: 'Plain', sales: 5, clicks: 5 }])
  })

  test('can be given with the invitation, by those who may manage payouts', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const gold = await givenGroup(program, 'Gold', percent(3_000))
    const member = await givenUser(service)
    await givenRole(service, program.workspaceId, member, 'member')
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, {
      email: 'maya@example.com',
    })
    const invite = (user: typeof member, body: object) =>
      user.call('POST', `${program.api}/partners/${program.link.partnerId}/invite`, body)
    expectRefusal(await invite(member, { groupId: gold }), 403, 'forbidden')
    expectRefusal(await invite(program.owner, { groupId: 999_999 }), 400, 'invalid_request')
    const { rows } = await service.pool.query('SELECT FROM partner_invitations WHERE program_id = $1', [program.id])
    expect(rows).toEqual([])
    expect((await invite(program.owner, { groupId: gold })).status).toBe(201)
    expect(await partnerOf(program)).toMatchObject({ groupName: 'Gold' })
    expect((await invite(member, {})).status).toBe(201)
    expect(await partnerOf(program)).toMatchObject({ groupName: 'Gold' })
  })

  test('are those of the group at the time of the sale, even if it is credited later', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const gold = await givenGroup(program, 'Gold', percent(3_000))
    const [customer_key, click_id] = [unique('customer'), await givenClick(service, program.link)]
    const { body: late } = await program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') })
    expect(late.attributed).toBe(false)
    await move(program, gold)
    expect((await program.lead({ customer_key, click_id })).status).toBe(200)
    expect(await commissionOf(program, late)).toMatchObject({ amountCents: 100, groupName: 'Default' })
    expect(await differencesIn(program)).toEqual([])
  })

  test('are noticed by the ledger check if a membership is forged', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const gold = await givenGroup(program, 'Gold', percent(3_000))
    await givenSale(program, 1_000)
    await service.pool.query(
      `INSERT INTO partner_group_changes (program_id, partner_id, group_id, valid_from, moved_by)
       VALUES ($1, $2, $3, (SELECT valid_from FROM reward_terms WHERE program_id = $1 AND version = 2), 'forged')`,
      [program.id, program.link.partnerId, gold],
    )
    expect((await differencesIn(program)).join()).toContain('is 100 USD but should be 300 USD')
  })

  test('can be back-tested alone', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const gold = await givenGroup(program, 'Gold', percent(3_000))
    const plain = await givenGroup(program, 'Plain', null)
    await givenSale(program, 1_000)
    await move(program, gold)
    await givenSale(program, 1_000)
    await move(program, plain)
    await givenSale(program, 1_000)
    const day = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10)
    const run = async (groupId?: number) => {
      const request = { terms: percent(4_000), from: day(-2), to: day(2), ...(groupId && { groupId }) }
      const answer = await program.owner.call('POST', `${program.api}/reward/backtest`, request)
      expect(answer.status).toBe(200)
      return answer.body.data[0].totals.proposedCents
    }
    // 100 (Default), 300 (Gold) and 100 (Plain, which inherits) were paid.
    expect(await run()).toBe(400 + 300 + 400)
    expect(await run(await defaultOf(program))).toBe(400 + 300 + 400)
    expect(await run(gold)).toBe(100 + 400 + 100)
    expect(await run(plain)).toBe(100 + 300 + 400)
    const unknown = { terms: REWARD, from: day(-2), to: day(2), groupId: 2_000_000_000 }
    expectRefusal(await program.owner.call('POST', `${program.api}/reward/backtest`, unknown), 404, 'not_found')
  })
})

describe('a tier rule', () => {
  test('moves a partner once after enough sales, from then on, and never twice in a period', async () => {
    const program = await givenPayingProgram(service, REWARD, { timezone: 'Asia/Tokyo' })
    const gold = await givenGroup(program, 'Gold', percent(3_000))
    const silver = await givenGroup(program, 'Silver', percent(2_000), {
      tierRule: { after: { sales: 2 }, within: 'all', moveTo: gold },
    })
    await move(program, silver)
    const refunded = await givenSale(program, 1_000)
    await program.refund({ invoice_id: refunded.invoice_id })
    await givenSale(program, 1_000)
    await applyTiers()
    expect((await partnerOf(program)).groupName).toBe('Silver')
    const last = await givenSale(program, 1_000)
    await Promise.all([applyTiers(), applyTiers()])
    const moved = await partnerOf(program)
    expect(moved).toMatchObject({ groupName: 'Gold', group: { tier: { groupName: 'Silver', reached: 2 } } })
    expect(await commissionOf(program, last)).toMatchObject({ amountCents: 200 })
    const next = await givenSale(program, 1_000)
    expect(await commissionOf(program, next)).toMatchObject({ amountCents: 300, groupName: 'Gold' })
    expect(await explain(program, next)).toMatch(/moved to Gold on .+ after 2 sales \(tier rule of Silver\)\./)
    const { body } = await program.owner.call('GET', `${program.api}/audit?search=moved`)
    expect(body.data[0]).toMatchObject({ userId: null, after: { group: 'Gold', reached: 2 } })
    await move(program, silver)
    await applyTiers()
    expect((await partnerOf(program)).groupName).toBe('Silver')
    expect(await differencesIn(program)).toEqual([])
  })

  test('counts an amount in its currency, and leaves partners who are not approved', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const gold = await givenGroup(program, 'Gold', percent(3_000))
    const rule = { after: { amountCents: 5_000, currency: 'EUR' }, within: 'month', moveTo: gold }
    const path = `${program.api}/groups/${await defaultOf(program)}`
    expect((await program.owner.call('PATCH', path, { tierRule: rule })).status).toBe(200)
    await givenSale(program, 9_000)
    const sold = await givenSale(program, 6_000, { currency: 'EUR' })
    await program.refund({ invoice_id: sold.invoice_id, amount: 2_000 })
    const { givenPartner } = givenPortal(service)
    const partner = await givenPartner(program)
    const portal = async () => (await partner.call('GET', '/api/portal/programs')).body.data[0]
    await applyTiers()
    expect((await portal()).tier).toMatchObject({
      after: rule.after,
      within: 'month',
      reached: 4_000,
      reward: { sale: { percentBps: 3_000 } },
    })
    await givenSale(program, 1_000, { currency: 'EUR' })
    const one = `${program.api}/partners/${program.link.partnerId}`
    await program.owner.call('PATCH', one, { status: 'suspended' })
    await applyTiers()
    expect((await partnerOf(program)).groupName).toBe('Default')
    await program.owner.call('PATCH', one, { status: 'approved' })
    await applyTiers()
    expect((await partnerOf(program)).groupName).toBe('Gold')
    expect(await portal()).toMatchObject({ tier: null, reward: { sale: { percentBps: 3_000 } } })
  })

  test('starts counting again with each period of the program’s calendar', () => {
    expect(periodStart('month', '2026-11-03')).toBe('2026-11-01')
    expect(periodStart('quarter', '2026-11-03')).toBe('2026-10-01')
    expect(periodStart('quarter', '2026-03-31')).toBe('2026-01-01')
    expect(periodStart('year', '2026-11-03')).toBe('2026-01-01')
    expect(periodStart('all', '2026-11-03') < '2000').toBe(true)
  })
})

test('links that partners create start from the landing pages of their group', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const settings = { websites: ['https://shop.example'], partnersCreateLinks: true }
  await program.owner.call('PATCH', program.api, settings)
  const landingPages = ['https://shop.example/gold', 'https://shop.example/offer']
  await move(program, await givenGroup(program, 'Gold', null, { landingPages }))
  const partner = await givenPortal(service).givenPartner(program)
  const portal = `/api/portal/programs/${program.id}`
  expect((await partner.call('GET', '/api/portal/programs')).body.data[0]).toMatchObject({ landingPages, tier: null })
  expect((await partner.call('POST', `${portal}/links`, {})).body.data.destinationUrl).toBe(landingPages[0])
  await program.owner.call('PATCH', program.api, { websites: ['https://other.example'] })
  expect((await partner.call('GET', '/api/portal/programs')).body.data[0].landingPages).toEqual([])
  expect((await partner.call('POST', `${portal}/links`, {})).body.data.destinationUrl).toBeNull()
})
