import { describe, expect, test } from 'bun:test'
import { program as programAnswer } from '@tributary/contract'
import { givenDashboard } from '../dashboard-api/given-dashboard.ts'
import { givenPortal, REWARD } from '../portal/given-portal.ts'
import { click, expectRefusal, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { owner, givenProgram, givenPartner, givenLink } = await givenDashboard(service)
const SHOP = 'https://shop.example.com'

const websitesOf = async (id: number) =>
  programAnswer.parse((await owner.call('GET', `/api/programs/${id}`)).body.data).websites

const setWebsites = (id: number, websites: unknown) => owner.call('PATCH', `/api/programs/${id}`, { websites })

describe('the websites of a program', () => {
  test('are empty by default, and are stored as origins without duplicates', async () => {
    const { id } = await givenProgram()
    expect(await websitesOf(id)).toEqual([])
    const typed = [
      'HTTPS://Shop.Example.com/pricing?x=1#top',
      `${SHOP}:443/`,
      'http://shop.example.com:8080',
      'https://bücher.example',
    ]
    expect((await setWebsites(id, typed)).status).toBe(200)
    expect(await websitesOf(id)).toEqual([SHOP, 'http://shop.example.com:8080', 'https://xn--bcher-kva.example'])
    expect((await setWebsites(id, [])).body.data.websites).toEqual([])
  })

  test('can be set when the program is created', async () => {
    const { id } = await givenProgram({ websites: [`${SHOP}/`] })
    expect(await websitesOf(id)).toEqual([SHOP])
  })

  test.each([
    ['not a list', 'https://shop.example.com', 'websites'],
    ['not a web address', ['shop.example.com'], 'websites.0'],
    ['another scheme', ['ftp://shop.example.com'], 'websites.0'],
    ['a script', ['javascript:alert(1)'], 'websites.0'],
    ['credentials', ['https://ada:secret@shop.example.com'], 'websites.0'],
    ['too many', Array.from({ length: 21 }, (_, index) => `https://shop${index}.example.com`), 'websites'],
  ])('reject %s', async (_, websites, field) => {
    const { id } = await givenProgram({ websites: [SHOP] })
    const answer = await setWebsites(id, websites)
    expectRefusal(answer, 400, 'invalid_request')
    expect(answer.body.error.field).toBe(field)
    expect(await websitesOf(id)).toEqual([SHOP])
  })
})

describe('a link of a program with websites', () => {
  const OTHERS = [
    'https://evil.example/',
    'http://shop.example.com/',
    'https://www.shop.example.com/',
    'https://shop.example.com:8443/',
    'https://shop.example.com.evil.example/',
  ]

  test('must point to one of them, by exact origin', async () => {
    const { id } = await givenProgram({ websites: [SHOP, 'https://docs.example.com'] })
    const { id: partnerId } = await givenPartner(id)
    for (const destinationUrl of OTHERS) {
      const answer = await owner.call('POST', `/api/programs/${id}/links`, { partnerId, destinationUrl })
      expectRefusal(answer, 400, 'invalid_request')
      expect(answer.body.error.field).toBe('destinationUrl')
      expect(answer.body.error.message).toContain(`${SHOP}, https://docs.example.com`)
    }
    for (const destinationUrl of [`${SHOP}/a?b=c`, 'https://DOCS.example.com:443', null])
      expect((await owner.call('POST', `/api/programs/${id}/links`, { partnerId, destinationUrl })).status).toBe(201)
  })

  test('cannot be changed to point elsewhere, and keeps working if it already did', async () => {
    const { id } = await givenProgram()
    const { id: partnerId } = await givenPartner(id, { status: 'approved' })
    const link = await givenLink(id, partnerId, { destinationUrl: 'https://old.example/' })
    await setWebsites(id, [SHOP])
    const path = `/api/programs/${id}/links/${link.id}`
    expectRefusal(await owner.call('PATCH', path, { destinationUrl: 'https://evil.example/' }), 400, 'invalid_request')
    for (const change of [{ active: false }, { active: true, destinationUrl: 'https://old.example/' }])
      expect((await owner.call('PATCH', path, change)).body.data).toMatchObject({
        ...change,
        destinationUrl: 'https://old.example/',
      })
    expect((await click(service, { affiliate_url: `https://old.example/?aff=${link.aff}` })).status).toBe(200)
  })

  test('may point anywhere if the list is empty, and a website in use can be removed', async () => {
    const { id } = await givenProgram({ websites: [SHOP] })
    const { id: partnerId } = await givenPartner(id)
    const link = await givenLink(id, partnerId, { destinationUrl: `${SHOP}/a` })
    expect((await setWebsites(id, ['https://new.example'])).status).toBe(200)
    const [kept] = (await owner.call('GET', `/api/programs/${id}/links`)).body.data
    expect(kept).toMatchObject({ id: link.id, destinationUrl: `${SHOP}/a`, active: true })
    await setWebsites(id, [])
    expect(
      (await owner.call('PATCH', `/api/programs/${id}/links/${link.id}`, { destinationUrl: 'https://evil.example/' }))
        .status,
    ).toBe(200)
  })

  test('takes clicks from any page: the list of websites never makes a click fail', async () => {
    const { id } = await givenProgram({ websites: [SHOP] })
    const { id: partnerId } = await givenPartner(id, { status: 'approved' })
    const { aff } = await givenLink(id, partnerId)
    expect((await click(service, { affiliate_url: `https://evil.example/?aff=${aff}` })).status).toBe(200)
  })
})

describe('a partner of a program with websites', () => {
  const { givenPartner: givenPortalPartner } = givenPortal(service)

  test('sees them, and cannot create a link to another site', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', program.api, { websites: [SHOP], partnersCreateLinks: true })
    const partner = await givenPortalPartner(program)
    expect((await partner.call('GET', '/api/portal/programs')).body.data).toMatchObject([{ websites: [SHOP] }])
    const create = (destinationUrl: string | null) =>
      partner.call('POST', `/api/portal/programs/${program.id}/links`, { aff: unique('own'), destinationUrl })
    for (const destinationUrl of OTHERS_FOR_PARTNERS) {
      const answer = await create(destinationUrl)
      expectRefusal(answer, 400, 'invalid_request')
      expect(answer.body.error).toMatchObject({ field: 'destinationUrl' })
      expect(answer.body.error.message).toContain(SHOP)
    }
    expectRefusal(await create('https://shop.example.com@evil.example/'), 400, 'invalid_request')
    expect((await create(`${SHOP}/spring`)).status).toBe(201)
    expect((await create(null)).body.data.destinationUrl).toBeNull()
  })
})

const OTHERS_FOR_PARTNERS = ['https://evil.example/', 'http://shop.example.com/']
