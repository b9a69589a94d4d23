import { describe, expect, test } from 'bun:test'
import { textColorOn } from '@tributary/contract/accent-color'
import { givenPortal, REWARD } from '../portal/given-portal.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { type Answer, startTestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { jpeg, png, webp } from './images.ts'

const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail, portalUrl: 'https://partners.example.com' })
const { givenPartner } = givenPortal(service)
const BRAND = {
  displayName: 'Acme Friends',
  description: 'Recommend Acme.',
  accentColor: '#ffcc00',
  supportEmail: 'help@acme.example',
}
const NONE = { displayName: null, description: null, accentColor: null, supportEmail: null, logoUrl: null }

const givenProgram = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const upload = async (body: Buffer | string, cookie = program.owner.cookie) => {
    const init = { method: 'PUT', headers: { cookie }, body: typeof body === 'string' ? body : new Uint8Array(body) }
    const response = await fetch(`${service.url}${program.api}/branding/logo`, init)
    return { status: response.status, headers: response.headers, body: await response.json() } as Answer
  }
  return { ...program, upload, branding: `${program.api}/branding` }
}

describe('the branding of a program', () => {
  test('is empty at first, replaced as a whole, and shown to applicants, invited partners and partners', async () => {
    const { id, owner, api, branding, upload, ...program } = await givenProgram()
    expect((await owner.call('GET', branding)).body.data).toEqual(NONE)
    expect((await owner.call('PUT', branding, { ...BRAND, accentColor: '#FFCC00' })).body.data).toEqual({
      ...BRAND,
      logoUrl: null,
    })
    const { logoUrl } = (await upload(png(200, 80))).body.data
    const { displayName, ...brand } = { ...BRAND, logoUrl }
    const shown = { programName: displayName, brand }
    await owner.call('PATCH', api, { applicationsOpen: true })
    expect((await service.call('GET', `/api/public/programs/${id}/application`)).body.data).toMatchObject(shown)
    const partner = await givenPartner({ id, owner, api, ...program })
    expect((await partner.call('GET', '/api/portal/programs')).body.data).toMatchObject([shown])
    const email = `${unique('ada')}@example.com`
    const invited = await owner.call('POST', `${api}/partners/${program.link.partnerId}/invite`, { email })
    const url = invited.body.data.url as string
    expect(url).toStartWith('https://partners.example.com/portal/invite/')
    const path = `/api/public/partner-invitations/${url.split('/').at(-1)}`
    expect((await service.call('GET', path)).body.data).toMatchObject(shown)
    expect((await owner.call('PUT', branding, {})).body.data).toEqual({ ...NONE, logoUrl })
  })

  test('appears in emails: name, support address, color and the logo as an attachment, nothing remote', async () => {
    const { owner, api, branding, upload, link } = await givenProgram()
    await owner.call('PUT', branding, BRAND)
    await upload(png(10))
    const email = `${unique('ada')}@example.com`
    await owner.call('POST', `${api}/partners/${link.partnerId}/invite`, { email })
    const letter = smtp.received.find(({ to }) => to === email)
    expect(letter?.header).toContain('Subject: Join Acme Friends as a partner')
    for (const part of ['help@acme.example', 'cid:logo', 'Content-ID: <logo>', 'image/png', '#ffcc00', '#000000'])
      expect(letter?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(part)
    expect(letter?.raw).not.toContain('src=3D"http')
  })

  test('has a logo whose address changes with the image and can be cached forever', async () => {
    const { branding, upload, owner } = await givenProgram()
    const addresses: string[] = []
    for (const [type, image] of [
      ['image/png', png(64)],
      ['image/jpeg', jpeg(64)],
      ['image/webp', webp(64)],
    ] as const) {
      const { status, body } = await upload(image)
      expect(status).toBe(200)
      const response = await fetch(service.url + body.data.logoUrl)
      expect([response.headers.get('content-type'), response.headers.get('x-content-type-options')]).toEqual([
        type,
        'nosniff',
      ])
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(Buffer.from(await response.arrayBuffer()).equals(image)).toBe(true)
      addresses.push(body.data.logoUrl)
    }
    expect(new Set(addresses).size).toBe(3)
    expectRefusal(await service.call('GET', addresses[0] ?? ''), 404, 'not_found')
    expect((await owner.call('DELETE', `${branding}/logo`)).body.data.logoUrl).toBeNull()
    expectRefusal(await service.call('GET', addresses[2] ?? ''), 404, 'not_found')
  })

  test('rejects other files, large images and wrong fields, and changes nothing', async () => {
    const { branding, upload, owner, id } = await givenProgram()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for (const file of [svg, 'GIF89a', '', png(64).subarray(0, 20), png(0), png(2049, 10), webp(10, 5000)])
      expectRefusal(await upload(file), 400, 'invalid_request')
    const padded = (bytes: number) => Buffer.concat([png(64), Buffer.alloc(bytes - 33)])
    expectRefusal(await upload(padded(256 * 1024 + 1)), 413, 'payload_too_large')
    for (const wrong of [
      { accentColor: 'red' },
      { accentColor: '#fff' },
      { supportEmail: 'help' },
      { displayName: '' },
    ])
      expectRefusal(await owner.call('PUT', branding, { ...BRAND, ...wrong }), 400, 'invalid_request')
    expectRefusal(await owner.call('PUT', branding, { description: 'x'.repeat(281) }), 400, 'invalid_request')
    expect((await owner.call('GET', branding)).body.data).toEqual(NONE)
    expect((await service.pool.query('SELECT FROM program_branding WHERE program_id = $1', [id])).rowCount).toBe(0)
    expect((await upload(padded(256 * 1024))).status).toBe(200)
  })

  test('is changed only by roles with program:update, with an audit entry for what changed', async () => {
    const { branding, upload, owner, workspaceId, api } = await givenProgram()
    for (const role of ['viewer', 'billing']) {
      const user = await givenUser(service)
      await givenRole(service, workspaceId, user, role)
      expect((await user.call('GET', branding)).status).toBe(200)
      expectRefusal(await user.call('PUT', branding, BRAND), 403, 'forbidden')
      expectRefusal(await upload(png(8), user.cookie), 403, 'forbidden')
      expectRefusal(await user.call('DELETE', `${branding}/logo`), 403, 'forbidden')
    }
    await owner.call('PUT', branding, BRAND)
    await owner.call('PUT', branding, BRAND)
    await owner.call('PUT', branding, { ...BRAND, accentColor: '#000000' })
    const entries = (await owner.call('GET', `${api}/audit`)).body.data
    expect(entries.filter(({ action }: { action: string }) => action === 'branding changed')).toMatchObject([
      { before: { accentColor: '#ffcc00' }, after: { accentColor: '#000000' } },
      { before: { displayName: null }, after: BRAND },
    ])
  })
})

test.each([
  ['#000000', '#ffffff'],
  ['#ffffff', '#000000'],
  ['#ffcc00', '#000000'],
  ['#0e7490', '#ffffff'],
  ['#777777', '#000000'],
])('text on %s is %s', (color, text) => {
  expect(textColorOn(color)).toBe(text)
})
