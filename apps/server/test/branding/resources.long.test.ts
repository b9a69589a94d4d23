import { describe, expect, test } from 'bun:test'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenRole } from '../support/money.ts'
import type { Answer } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const { givenEarningPartner } = givenPortal(service)
const MIB = 1024 * 1024

const givenResources = async () => {
  const program = await givenEarningPartner()
  const path = `${program.api}/resources`
  const addText = (body: string, title = 'Post') => program.owner.call('POST', `${path}/texts`, { title, body })
  const upload = async (fileName: string, body: string | Uint8Array<ArrayBuffer>, cookie = program.owner.cookie) => {
    const address = `${service.url}${path}/files?fileName=${encodeURIComponent(fileName)}`
    const response = await fetch(address, { method: 'POST', headers: { cookie }, body })
    return { status: response.status, headers: response.headers, body: await response.json() } as Answer
  }
  return { ...program, path, addText, upload }
}

describe('resources', () => {
  test('are texts with the partner’s own link and code filled in', async () => {
    const { addText, get, link, owner, path, api } = await givenResources()
    await owner.call('PATCH', api, { websites: ['https://shop.example'] })
    const text = await addText('Try it: {link} ({code}) {other} $&')
    expect([text.status, text.body.data.kind]).toEqual([201, 'text'])
    expect((await owner.call('GET', path)).body.data).toMatchObject([{ body: 'Try it: {link} ({code}) {other} $&' }])
    expect(await get('/resources')).toMatchObject([
      { title: 'Post', body: `Try it: https://shop.example/?aff=${link.aff} (${link.partnerCode}) {other} $&` },
    ])
    const one = `${path}/${text.body.data.id}`
    expect((await owner.call('PATCH', one, { title: 'Launch' })).body.data).toMatchObject({ title: 'Launch' })
    expect((await owner.call('DELETE', one)).body.data).toEqual({ id: text.body.data.id })
    expectRefusal(await owner.call('DELETE', one), 404, 'not_found')
    expect(await get('/resources')).toEqual([])
  })

  test('are files that approved partners download as attachments, and no one else', async () => {
    const { upload, partner, portal, owner, path, api, link } = await givenResources()
    const { status, body } = await upload('Lögo "x".html.png'.replaceAll('"', '-'), '<script>alert(1)</script>')
    expect([status, body.data.contentType, body.data.sizeBytes]).toEqual([201, 'image/png', 25])
    const file = `/resources/${body.data.id}/file`
    for (const [address, cookie] of [
      [portal + file, partner.cookie],
      [api + file, owner.cookie],
    ] as const) {
      const response = await fetch(service.url + address, { headers: { cookie } })
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="L_go -x-.html.png"; filename*=UTF-8''L%C3%B6go%20-x-.html.png`,
      )
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-type')).toBe('image/png')
      expect(await response.text()).toBe('<script>alert(1)</script>')
    }
    const [stranger, elsewhere] = [await givenUser(service), await givenResources()]
    expectRefusal(await stranger.call('GET', portal + file), 403, 'forbidden')
    expectRefusal(await elsewhere.partner.call('GET', portal + file), 403, 'forbidden')
    expectRefusal(await elsewhere.partner.call('GET', elsewhere.portal + file), 404, 'not_found')
    expectRefusal(await service.call('GET', portal + file), 401, 'unauthenticated')
    expectRefusal(await owner.call('PATCH', `${path}/${body.data.id}`, { body: 'Text' }), 400, 'invalid_request')
    await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { status: 'suspended' })
    expectRefusal(await partner.call('GET', portal + file), 403, 'forbidden')
    expectRefusal(await partner.call('GET', `${portal}/resources`), 403, 'forbidden')
  })

  test('are limited in type, size and number', async () => {
    const { upload, addText, owner, path } = await givenResources()
    for (const name of ['run.exe', 'page.html', 'logo.svg', 'noextension', '../a.png', 'a\n.png', 'constructor'])
      expectRefusal(await upload(name, 'x'), 400, 'invalid_request')
    expectRefusal(await upload('empty.txt', ''), 400, 'invalid_request')
    expectRefusal(await upload('big.zip', new Uint8Array(5 * MIB + 1)), 413, 'payload_too_large')
    expectRefusal(await addText('x'.repeat(5_001)), 400, 'invalid_request')
    expect((await owner.call('GET', path)).body.data).toEqual([])
    expect((await upload('big.zip', new Uint8Array(5 * MIB))).status).toBe(201)
    for (let count = 1; count < 49; count++) await addText('x')
    const last = await Promise.all([addText('x'), addText('x'), upload('a.txt', 'x')])
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect((await owner.call('GET', path)).body.data).toHaveLength(50)
  })

  test('are managed only with program:update', async () => {
    const { upload, addText, workspaceId, path } = await givenResources()
    const { id } = (await addText('x')).body.data
    const viewer = await givenUser(service)
    await givenRole(service, workspaceId, viewer, 'viewer')
    expect((await viewer.call('GET', path)).body.data).toHaveLength(1)
    expectRefusal(await viewer.call('POST', `${path}/texts`, { title: 'x', body: 'x' }), 403, 'forbidden')
    expectRefusal(await viewer.call('PATCH', `${path}/${id}`, { title: 'x' }), 403, 'forbidden')
    expectRefusal(await viewer.call('DELETE', `${path}/${id}`), 403, 'forbidden')
    expectRefusal(await upload('a.txt', 'x', viewer.cookie), 403, 'forbidden')
  })
})
