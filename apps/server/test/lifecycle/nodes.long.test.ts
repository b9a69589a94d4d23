import { afterEach, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { givenDatabase } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService, type Service, until } from './given-service.ts'
import { CALLERS, expectEveryCent, givenProgramOn, givenShoppers } from './given-shoppers.ts'

afterEach(cleanUp)

const BASE_URL = 'http://localhost:3000'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const givenNodes = async (count: number) => {
  const DATABASE_URL = await givenDatabase()
  const env = { DATABASE_URL, RATE_LIMITS: 'off', LOG_LEVEL: 'warn', OPEN_SIGNUP: 'true', BASE_URL }
  const folders = Array.from({ length: count }, () => givenDataDir())
  const nodes: Service[] = []
  for (const DATA_DIR of folders) {
    if (nodes.length > 0) cpSync(join(folders[0] ?? '', 'secrets.json'), join(DATA_DIR, 'secrets.json'))
    nodes.push(await givenService({ env: { ...env, DATA_DIR } }))
  }
  return { DATABASE_URL, nodes }
}

test('one of three nodes killed under load: only its own connections fail, and nothing is lost', async () => {
  const { DATABASE_URL, nodes } = await givenNodes(3)
  const program = await givenProgramOn(DATABASE_URL)
  const shoppers = givenShoppers([...nodes], program)
  await shoppers.runPhase()
  const before = { ...shoppers.refused }

  const [, killed] = nodes as [Service, Service, Service]
  const kill = async () => {
    await until(() => (shoppers.served.get(killed) ?? 0) > CALLERS)
    killed.kill('SIGKILL')
    shoppers.nodes.splice(shoppers.nodes.indexOf(killed), 1)
    await killed.ended()
  }
  await shoppers.runWhile(kill())
  await shoppers.runPhase()

  expect(shoppers.refused.calls).toBe(before.calls)
  // Calls in progress there, and calls sent before the balancer noticed.
  expect(shoppers.refused.connections - before.connections).toBeLessThanOrEqual(2 * CALLERS)
  for (const node of shoppers.nodes) expect(shoppers.served.get(node)).toBeGreaterThan(CALLERS)
  await expectEveryCent(program, shoppers)
})

/** Calls a node as a browser of the dashboard does. */
const ask = async (
  node: Service,
  method: string,
  path: string,
  { cookie = '', body }: { cookie?: string; body?: object } = {},
) => {
  const response = await fetch(`http://localhost:${node.port}${path}`, {
    method,
    headers: { cookie, origin: BASE_URL, 'user-agent': BROWSER, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, cookies: response.headers.getSetCookie(), response }
}

test('what one node does, another knows: sessions, keys, live events', async () => {
  const { DATABASE_URL, nodes } = await givenNodes(2)
  const [first, second] = nodes as [Service, Service]
  const program = await givenProgramOn(DATABASE_URL)
  const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  const signedUp = await ask(first, 'POST', '/api/auth/sign-up/email', { body: account })
  expect(signedUp.status).toBe(200)
  const cookie = signedUp.cookies.map((line) => line.split(';')[0]).join('; ')
  await program.pool.query(
    `INSERT INTO members (id, organization_id, user_id, role) SELECT 'm', $1, id, 'owner' FROM users WHERE email = $2`,
    [program.workspaceId, account.email],
  )
  expect((await ask(second, 'GET', `/api/programs/${program.id}`, { cookie })).status).toBe(200)

  const stream = await ask(second, 'GET', `/api/tracking/events/${program.id}/stream`, { cookie })
  const reader = stream.response.body?.getReader()
  let seen = ''
  const reading = (async () => {
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) return
      seen += new TextDecoder().decode(part.value)
    }
  })().catch(() => {})
  await until(async () => {
    await ask(first, 'POST', '/api/v1/track/click', { body: { affiliate_url: program.link.url } })
    return seen.includes('data:')
  })

  const sell = async (node: Service) => {
    const response = await fetch(`http://localhost:${node.port}/api/v1/track/sale`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${program.key}` },
      body: JSON.stringify({ customer_key: 'u', amount: 1, invoice_id: 'in-1' }),
    })
    return response.status
  }
  expect(await sell(second)).not.toBe(401)
  const revoke = `/api/programs/${program.id}/api-keys/${program.key.split('_')[1]}`
  expect((await ask(first, 'DELETE', revoke, { cookie })).status).toBe(200)
  await until(async () => (await sell(second)) === 401, 5_000)

  expect((await ask(first, 'POST', '/api/auth/sign-out', { cookie, body: {} })).status).toBe(200)
  await until(async () => (await ask(second, 'GET', `/api/programs/${program.id}`, { cookie })).status === 401)
  await reader?.cancel()
  await reading
})
