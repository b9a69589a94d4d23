import { describe, expect, test } from 'bun:test'
import { group as groupAnswer } from '@tributary/contract'
import { expectRefusal, givenLink, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole, type PayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 10 }

const givenGroup = async ({ owner, api }: PayingProgram, fields: object) => {
  const { status, body } = await owner.call('POST', `${api}/groups`, fields)
  expect(status).toBe(201)
  return groupAnswer.parse(body.data)
}
const groupsOf = async ({ owner, api }: PayingProgram) => (await owner.call('GET', `${api}/groups`)).body.data
const partnerOf = async ({ owner, api, link }: PayingProgram, id = link.partnerId) =>
  (await owner.call('GET', `${api}/partners/${id}`)).body.data

describe('groups', () => {
  test('start with a default group whose terms are the program’s', async () => {
    const { owner, workspaceId } = await givenPayingProgram(service, REWARD)
    const { body } = await owner.call('POST', '/api/programs', { workspaceId, name: 'New', reward: REWARD })
    const api = `/api/programs/${body.data.id}`
    const [first, ...others] = (await owner.call('GET', `${api}/groups`)).body.data
    expect(groupAnswer.parse(first)).toMatchObject({ name: 'Default', isDefault: true, partners: 0, tierRule: null })
    expect(others).toEqual([])
    const path = `${api}/groups/${first.id}/reward`
    const changed = await owner.call('PUT', path, { sale: { percentBps: 1_500, duration: 'lifetime' } })
    expect(changed.body.data).toMatchObject({ own: false, version: 2, sale: { percentBps: 1_500 } })
    expect((await owner.call('GET', `${api}/reward`)).body.data).toEqual(changed.body.data)
    expectRefusal(await owner.call('DELETE', path), 409, 'conflict')
    const one = `${api}/groups/${first.id}`
    expect((await owner.call('PATCH', one, { name: 'Everyone' })).body.data.name).toBe('Everyone')
    expectRefusal(await owner.call('DELETE', one), 409, 'conflict')
  })

  test('inherit the default group’s terms until they have their own', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const gold = await givenGroup(program, { name: 'Gold' })
    expect(gold.reward).toMatchObject({ own: false, sale: { percentBps: 1_000 }, holdDays: 10 })
    const path = `${program.api}/groups/${gold.id}/reward`
    const request = { sale: { percentBps: 3_000, duration: 'first' }, holdDays: 0 }
    const set = await program.owner.call('PUT', path, request)
    expect(set.body.data).toMatchObject({ own: true, version: 2, sale: { percentBps: 3_000 }, holdDays: 0 })
    expectRefusal(await program.owner.call('PUT', path, { ...request, replaces: 1 }), 409, 'conflict')
    expectRefusal(await program.owner.call('PUT', path, { ...request, applyToEarlier: true }), 409, 'conflict')
    expect((await program.owner.call('DELETE', path)).body.data).toMatchObject({ own: false, version: 1 })
    expect((await program.owner.call('GET', `${program.api}/reward`)).body.data).toMatchObject({ version: 1 })
  })

  test('move one partner, or many, or none', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const [silver, gold] = [await givenGroup(program, { name: 'Silver' }), await givenGroup(program, { name: 'Gold' })]
    const [defaults] = await groupsOf(program)
    const other = await givenLink(service, program.id)
    const ids = [program.link.partnerId, other.partnerId]
    expect(await partnerOf(program)).toMatchObject({ groupName: 'Default', group: { since: null, tier: null } })
    const one = `${program.api}/partners/${ids[0]}`
    expect((await program.owner.call('PATCH', one, { groupId: silver.id })).body.data).toMatchObject({
      groupId: silver.id,
    })
    const path = `${program.api}/groups/${gold.id}/partners`
    const missing = { partnerIds: [...ids, 2_000_000_000] }
    expectRefusal(await program.owner.call('POST', path, missing), 404, 'not_found')
    expect((await partnerOf(program)).groupName).toBe('Silver')
    expect((await program.owner.call('POST', path, { partnerIds: ids })).body.data).toEqual({ moved: 2 })
    expect((await program.owner.call('POST', path, { partnerIds: ids })).body.data).toEqual({ moved: 0 })
    expect(await partnerOf(program)).toMatchObject({ groupId: gold.id, groupName: 'Gold' })
    const listed = async (groupId: number) =>
      (await program.owner.call('GET', `${program.api}/partners?groupId=${groupId}&sort=name`)).body.data
    expect((await listed(gold.id)).map(({ id }: { id: number }) => id).toSorted()).toEqual(ids.toSorted())
    expect(await listed(defaults.id)).toEqual([])
    expect((await groupsOf(program)).map(({ partners }: { partners: number }) => partners)).toEqual([0, 0, 2])
    const { body } = await program.owner.call('GET', `${program.api}/audit?search=moved`)
    expect(body.data).toHaveLength(3)
    expect(body.data.at(-1)).toMatchObject({ before: { group: 'Default' }, after: { group: 'Silver' } })
    const created = await program.owner.call('POST', `${program.api}/partners`, { name: 'Nina', groupId: gold.id })
    expect(created.body.data.groupId).toBe(gold.id)
    expectRefusal(await program.owner.call('PATCH', one, { groupId: 2_000_000_000 }), 400, 'invalid_request')
  })

  test('are deleted only when nothing uses them', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const gold = await givenGroup(program, { name: 'Gold' })
    const rule = { after: { sales: 2 }, within: 'month', moveTo: gold.id }
    const silver = await givenGroup(program, { name: 'Silver', tierRule: rule })
    const path = `${program.api}/groups/${gold.id}`
    const pointed = await program.owner.call('DELETE', path)
    expectRefusal(pointed, 409, 'conflict')
    expect(pointed.body.error.message).toContain('The tier rule of Silver')
    await program.owner.call('PATCH', `${program.api}/groups/${silver.id}`, { tierRule: null })
    await program.owner.call('POST', `${path}/partners`, { partnerIds: [program.link.partnerId] })
    await program.owner.call('PUT', `${path}/reward`, { lead: { amountCents: 500 } })
    expectRefusal(await program.owner.call('DELETE', path), 409, 'conflict')
    const [defaults] = await groupsOf(program)
    await program.owner.call('POST', `${program.api}/groups/${defaults.id}/partners`, {
      partnerIds: [program.link.partnerId],
    })
    expect((await program.owner.call('DELETE', path)).status).toBe(200)
    expectRefusal(await program.owner.call('GET', path), 404, 'not_found')
    // The flat amount of the deleted group no longer ties the program to its currency, and the name is free.
    expect((await program.owner.call('PATCH', program.api, { currency: 'EUR' })).status).toBe(200)
    await givenGroup(program, { name: 'gold' })
  })

  test('reject what cannot work, and change nothing', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', program.api, { websites: ['https://shop.example'] })
    const silver = await givenGroup(program, { name: 'Silver', landingPages: ['https://shop.example/new'] })
    const toSilver = { after: { amountCents: 5, currency: 'USD' }, within: 'all', moveTo: silver.id }
    const gold = await givenGroup(program, { name: 'Gold', tierRule: toSilver })
    const before = await groupsOf(program)
    const patch = (fields: object) => program.owner.call('PATCH', `${program.api}/groups/${silver.id}`, fields)
    const circle = { ...toSilver, moveTo: gold.id }
    expectRefusal(await patch({ tierRule: circle }), 409, 'conflict')
    expectRefusal(await patch({ tierRule: toSilver }), 409, 'conflict')
    expectRefusal(await patch({ name: 'GOLD' }), 409, 'conflict')
    for (const fields of [
      { tierRule: { ...circle, moveTo: 2_000_000_000 } },
      { tierRule: { ...circle, within: 'week' } },
      { tierRule: { ...circle, after: { sales: 0 } } },
      { tierRule: { ...circle, after: {} } },
      { landingPages: ['https://elsewhere.example/'] },
      { landingPages: ['/pricing'] },
      { name: '' },
    ])
      expectRefusal(await patch(fields), 400, 'invalid_request')
    const many = { partnerIds: Array.from({ length: 501 }, (_, index) => index + 1) }
    const path = `${program.api}/groups/${gold.id}/partners`
    expectRefusal(await program.owner.call('POST', path, many), 400, 'invalid_request')
    expectRefusal(await program.owner.call('POST', path, { partnerIds: [] }), 400, 'invalid_request')
    expect(await groupsOf(program)).toEqual(before)
  })
})

test('only members who may decide rewards change groups', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const stranger = await givenPayingProgram(service, REWARD)
  const member = await givenUser(service)
  await givenRole(service, program.workspaceId, member, 'member')
  const gold = await givenGroup(program, { name: 'Gold' })
  const one = `${program.api}/groups/${gold.id}`
  const { partnerId } = program.link
  const writes: [string, string, object?][] = [
    ['POST', `${program.api}/groups`, { name: 'Silver' }],
    ['PATCH', one, { name: 'Silver' }],
    ['DELETE', one],
    ['PUT', `${one}/reward`, REWARD],
    ['DELETE', `${one}/reward`],
    ['POST', `${one}/partners`, { partnerIds: [partnerId] }],
    ['PATCH', `${program.api}/partners/${partnerId}`, { groupId: gold.id }],
    ['POST', `${program.api}/partners`, { name: 'Nina', groupId: gold.id }],
  ]
  for (const [method, path, body] of writes) {
    expectRefusal(await service.call(method, path, body), 401, 'unauthenticated')
    expectRefusal(await member.call(method, path, body), 403, 'forbidden')
    expectRefusal(await stranger.owner.call(method, path, body), 403, 'forbidden')
  }
  for (const path of [`${program.api}/groups`, one, `${one}/reward`]) {
    expectRefusal(await service.call('GET', path), 401, 'unauthenticated')
    expectRefusal(await stranger.owner.call('GET', path), 403, 'forbidden')
    expect((await member.call('GET', path)).status).toBe(200)
  }
  // A group of another program is not found, and partners of another program are not moved.
  const foreign = `${stranger.api}/groups/${gold.id}`
  expectRefusal(await stranger.owner.call('GET', foreign), 404, 'not_found')
  expectRefusal(await stranger.owner.call('POST', `${foreign}/partners`, { partnerIds: [partnerId] }), 404, 'not_found')
  const theirs = { partnerIds: [stranger.link.partnerId] }
  expectRefusal(await program.owner.call('POST', `${one}/partners`, theirs), 404, 'not_found')
  expect(await groupsOf(program)).toMatchObject([
    { partners: 1 },
    { name: 'Gold', partners: 0, reward: { own: false } },
  ])
})
