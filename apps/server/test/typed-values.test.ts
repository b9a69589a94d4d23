import { describe, expect, test } from 'bun:test'
import { givenDashboard } from './dashboard-api/given-dashboard.ts'
import { givenPortal, REWARD } from './portal/given-portal.ts'
import { expectRefusal, unique } from './support/given.ts'
import { givenPayingProgram } from './support/money.ts'
import { startTestService } from './support/service.ts'

const service = await startTestService()
const { owner, givenProgram } = await givenDashboard(service)

describe('the aff of a new link', () => {
  const BAD = ['a', 'summer sale', 'sale+ü', 'a.b', '~test', 'x'.repeat(129), '']
  const GOOD = () => [unique('Summer_Sale-1'), 'b'.repeat(100) + unique('')]
  const MESSAGE = 'aff must be 2 to 128 letters, digits, hyphens or underscores.'

  test('has letters, digits, hyphens and underscores, in the dashboard and in the portal', async () => {
    const program = await givenPayingProgram(service, REWARD)
    await program.owner.call('PATCH', program.api, { partnersCreateLinks: true })
    const partner = await givenPortal(service).givenPartner(program)
    const create = [
      (aff: string) => program.owner.call('POST', `${program.api}/links`, { partnerId: null, aff }),
      (aff: string) => partner.call('POST', `/api/portal/programs/${program.id}/links`, { aff }),
    ]
    for (const make of create) {
      for (const aff of BAD) {
        const answer = await make(aff)
        expectRefusal(answer, 400, 'invalid_request')
        expect(answer.body.error).toMatchObject({ field: 'aff', message: MESSAGE })
      }
      for (const aff of GOOD()) expect((await make(aff)).body.data.aff).toBe(aff)
    }
  })

  test('made up by the service is one of these', async () => {
    const { id } = await givenProgram()
    for (let made = 0; made < 20; made++) {
      const { body } = await owner.call('POST', `/api/programs/${id}/links`, { partnerId: null })
      expect(body.data.aff).toMatch(/^[A-Za-z0-9_-]{8}$/)
    }
  })
})

describe('the website of a program', () => {
  const set = async (website: string) => {
    const { id } = await givenProgram()
    return owner.call('PATCH', `/api/programs/${id}`, { websites: [website] })
  }

  test.each([
    'https://abc',
    'https://abc.',
    'https://123',
    'https://shop_example',
    'ftp://shop.example',
  ])('is not %s', async (website) => {
    const answer = await set(website)
    expectRefusal(answer, 400, 'invalid_request')
    expect(answer.body.error).toMatchObject({
      field: 'websites.0',
      message: 'websites.0 must be a web address such as https://shop.example.com.',
    })
  })

  test.each([
    'https://shop.example',
    'http://localhost:3000',
    'http://127.0.0.1:8080',
    'http://[::1]:3000',
    'https://xn--bcher-kva.example',
  ])('may be %s', async (website) => {
    expect((await set(website)).body.data.websites).toEqual([website])
  })
})

describe('the page that a link leads to', () => {
  test.each([
    ['/pricing', 'must be a full web address, not only a path (enter https://example.com/pricing)'],
    ['?plan=pro', 'must be a full web address, not only a path (enter https://example.com/?plan=pro)'],
    ['www.shop.example/pricing', 'must begin with https:// (enter https://www.shop.example/pricing)'],
    ['shop.example', 'must begin with https:// (enter https://shop.example)'],
    ['localhost:3000/pricing', 'must begin with http:// (enter http://localhost:3000/pricing)'],
    ['javascript:alert(1)', 'must be a full web address such as https://example.com/'],
    ['ftp://shop.example', 'must be a full web address such as https://example.com/'],
    ['my shop', 'must be a full web address such as https://example.com/'],
    ['pricing', 'must be a full web address such as https://example.com/'],
  ])('%s is refused, with what to enter', async (destinationUrl, message) => {
    const { id } = await givenProgram()
    const answer = await owner.call('POST', `/api/programs/${id}/links`, { partnerId: null, destinationUrl })
    expectRefusal(answer, 400, 'invalid_request')
    expect(answer.body.error).toMatchObject({ field: 'destinationUrl', message: `destinationUrl ${message}.` })
  })
})
