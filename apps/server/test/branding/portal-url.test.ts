import { expect, test } from 'bun:test'
import { expectRefusal, givenUser } from '../support/given.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService({ portalUrl: 'https://partners.example.com' })

test('the host of PORTAL_URL leads to the portal, and other hosts to the dashboard', async () => {
  const open = (host: string) => fetch(service.url, { headers: { host, accept: 'text/html' }, redirect: 'manual' })
  const portal = await open('partners.example.com')
  expect([portal.status, portal.headers.get('location')]).toEqual([302, '/portal'])
  expect((await open('localhost:3000')).status).toBe(200)
})

test('calls from pages of PORTAL_URL are accepted behind a proxy that changes the host, and no others', async () => {
  const { cookie } = await givenUser(service)
  const create = (origin: string) => service.call('POST', '/api/workspaces', { name: 'W' }, { cookie, origin })
  expect((await create('https://partners.example.com')).status).toBe(201)
  expectRefusal(await create('https://partners.example.com.evil.example'), 403, 'origin_not_allowed')
  expectRefusal(await create('http://partners.example.com'), 403, 'origin_not_allowed')
})
