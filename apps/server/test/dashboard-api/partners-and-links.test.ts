import { describe, expect, test } from 'bun:test'
import { linkRow, partner, referralLink } from '@tributary/contract'
import { expectRefusal, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { givenDashboard } from './given-dashboard.ts'

const service = await givenService()
const { owner, givenProgram, givenPartner, givenLink } = await givenDashboard(service)

describe('partners', () => {
  test('start as pending, get a short code from their name, and move through the four statuses', async () => {
    const { id } = await givenProgram()
    const { status, body } = await owner.call('POST', `/api/programs/${id}/partners`, {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
    })
    expect(status).toBe(201)
    expect(partner.parse(body.data)).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      code: 'ada-lovelace',
      status: 'pending',
    })
    for (const status of ['approved', 'suspended', 'rejected', 'pending'])
      expect(
        (await owner.call('PATCH', `/api/programs/${id}/partners/${body.data.id}`, { status })).body.data.status,
      ).toBe(status)
    expectRefusal(
      await owner.call('PATCH', `/api/programs/${id}/partners/${body.data.id}`, { status: 'famous' }),
      400,
      'invalid_request',
    )
  })

  test('a code is unique per program: a taken custom code is rejected, a generated one is generated again', async () => {
    const [one, two] = [await givenProgram(), await givenProgram()]
    await givenPartner(one.id, { code: 'ada' })
    expectRefusal(
      await owner.call('POST', `/api/programs/${one.id}/partners`, { name: 'x', code: 'ada' }),
      409,
      'conflict',
    )
    expect((await owner.call('POST', `/api/programs/${two.id}/partners`, { name: 'x', code: 'ada' })).status).toBe(201)
    const names = await Promise.all([1, 2, 3].map(() => givenPartner(one.id, { name: 'Grace Hopper' })))
    expect(new Set(names.map(({ code }) => code)).size).toBe(3)
    expect((await givenPartner(one.id, { name: '李小龍' })).code).toMatch(/^partner-/)
  })
})

describe('links', () => {
  test('are created with the requested aff or a generated one', async () => {
    const { id } = await givenProgram()
    const { id: partnerId } = await givenPartner(id)
    const aff = unique('summer_sale')
    const { status, body } = await owner.call('POST', `/api/programs/${id}/links`, {
      partnerId,
      aff,
      destinationUrl: 'https://shop.example/',
    })
    expect(status).toBe(201)
    expect(referralLink.parse(body.data)).toMatchObject({ aff, partnerId, active: true, clicks: 0, lastClicked: null })
    expect((await givenLink(id, partnerId)).aff.length).toBeGreaterThan(5)
    expectRefusal(await owner.call('POST', `/api/programs/${id}/links`, { partnerId, aff }), 409, 'conflict')
    const url = `https://shop.example/?aff=${encodeURIComponent(aff)}`
    expect((await service.call('POST', '/api/v1/track/click', { affiliate_url: url })).status).toBe(200)
    const listed = (await owner.call('GET', `/api/programs/${id}/links?sort=createdAt`)).body.data
    expect(linkRow.parse(listed[0])).toMatchObject({ clicks: 1, lastClicked: expect.any(String) })
  })

  test('can be disabled and enabled', async () => {
    const { id } = await givenProgram()
    const link = await givenLink(id, (await givenPartner(id)).id)
    const click = () =>
      service.call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${link.aff}` })
    const change = (active: boolean) => owner.call('PATCH', `/api/programs/${id}/links/${link.id}`, { active })
    expect((await change(false)).body.data.active).toBe(false)
    expectRefusal(await click(), 410, 'link_disabled')
    expect((await change(true)).body.data.active).toBe(true)
    expect((await click()).status).toBe(200)
  })

  test('can be disabled and enabled together: all of them or none, and each change is in the audit log', async () => {
    const { id } = await givenProgram()
    const { id: partnerId } = await givenPartner(id)
    const links = [await givenLink(id, partnerId), await givenLink(id, partnerId), await givenLink(id, partnerId)]
    const [one, two, three] = links.map((link) => link.id)
    const change = (ids: unknown, active: unknown = false) =>
      owner.call('PATCH', `/api/programs/${id}/links`, { ids, active })
    const disabled = async () => {
      const { body } = await owner.call('GET', `/api/programs/${id}/links?active=false&sort=createdAt`)
      return body.data.map((link: { id: number }) => link.id)
    }
    expect((await change([one, two])).body.data).toEqual({ changed: 2 })
    expect((await change([one, two])).body.data).toEqual({ changed: 0 })
    const other = await givenProgram()
    const foreign = await givenLink(other.id, (await givenPartner(other.id)).id)
    for (const ids of [
      [three, foreign.id],
      [three, 99_999_999],
    ])
      expectRefusal(await change(ids), 404, 'not_found')
    for (const ids of [[], 'x', [0], Array.from({ length: 501 }, (_, index) => index + 1)])
      expectRefusal(await change(ids), 400, 'invalid_request')
    expectRefusal(await change([three], 'no'), 400, 'invalid_request')
    expect(await disabled()).toEqual([one, two])
    expect((await change([two, three], true)).body.data).toEqual({ changed: 1 })
    expect(await disabled()).toEqual([one])
    const { body } = await owner.call('GET', `/api/programs/${id}/audit?search=link changed`)
    expect(body.data.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual(
      [links[0], links[1], links[1]].map((link) => `link ${link?.aff}`).toSorted(),
    )
  })

  test('may be created without a partner, reject clicks until they have one, and then keep it', async () => {
    const { id } = await givenProgram()
    const [first, second] = [await givenPartner(id), await givenPartner(id)]
    const link = (await owner.call('POST', `/api/programs/${id}/links`, { partnerId: null })).body.data
    const click = () =>
      service.call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${link.aff}` })
    const give = (partnerId: number) => owner.call('PATCH', `/api/programs/${id}/links/${link.id}`, { partnerId })
    expectRefusal(await click(), 400, 'link_misconfigured')
    expect((await give(first.id)).body.data.partnerId).toBe(first.id)
    expect((await click()).status).toBe(200)
    expectRefusal(await give(second.id), 409, 'conflict')
    expect((await give(first.id)).status).toBe(200)
  })

  for (const body of [{}, { partnerId: 'x' }, { partnerId: 99_999_999 }, { partnerId: 1e20 }])
    test(`400 for ${JSON.stringify(body)}`, async () => {
      const { id } = await givenProgram()
      expectRefusal(await owner.call('POST', `/api/programs/${id}/links`, body), 400, 'invalid_request')
    })

  test('only accept web addresses', async () => {
    const { id } = await givenProgram()
    const { id: partnerId } = await givenPartner(id)
    for (const destinationUrl of ['javascript:alert(1)', 'data:text/html,x', '/relative', 'nonsense', 5])
      expectRefusal(
        await owner.call('POST', `/api/programs/${id}/links`, { partnerId, destinationUrl }),
        400,
        'invalid_request',
      )
  })

  test('reject addresses that another program could parse as a different site', async () => {
    const { id } = await givenProgram()
    const { id: partnerId } = await givenPartner(id)
    const unclear = [
      'https:\\\\evil.example',
      'https://shop.example\\@evil.example/',
      'https://shop.example@evil.example/',
    ]
    const blank = [
      ' https://shop.example/',
      'https://shop.example/a b',
      'https://shop.example/\t',
      'https://u:p@shop.example/',
    ]
    for (const destinationUrl of [...unclear, ...blank]) {
      const answer = await owner.call('POST', `/api/programs/${id}/links`, { partnerId, destinationUrl })
      expectRefusal(answer, 400, 'invalid_request')
      expect(answer.body.error).toMatchObject({
        field: 'destinationUrl',
        message: expect.stringContaining('backslash'),
      })
    }
    const destinationUrl = 'https://shop.example/@maya?mail=a@b.example'
    expect((await owner.call('POST', `/api/programs/${id}/links`, { partnerId, destinationUrl })).status).toBe(201)
  })
})
