import { expect } from 'bun:test'
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { givenDatabase } from './given-postgres.ts'
import { givenDataDir, givenService, type Service } from './given-service.ts'
import { givenProgramOn } from './given-shoppers.ts'

const BASE_URL = 'http://localhost:3000'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** Nodes as real processes on one database, with the same secrets. */
export const givenNodes = async (count: number, settings: Record<string, string> = {}) => {
  const DATABASE_URL = await givenDatabase()
  const env = { DATABASE_URL, RATE_LIMITS: 'off', LOG_LEVEL: 'warn', OPEN_SIGNUP: 'true', BASE_URL, ...settings }
  const [first = '', ...others] = Array.from({ length: count }, () => givenDataDir())
  const start = (DATA_DIR: string) => givenService({ env: { ...env, DATA_DIR, NODE_NAME: basename(DATA_DIR) } })
  const nodes: Service[] = [await start(first)]
  for (const folder of others) cpSync(join(first, 'secrets.json'), join(folder, 'secrets.json'))
  nodes.push(...(await Promise.all(others.map(start))))
  return { DATABASE_URL, nodes }
}

type Call = { cookie?: string; key?: string; body?: object }

/** Calls a node as a browser or, with a key, as a merchant's server does. */
export const ask = async (node: Service, method: string, path: string, { cookie = '', key, body }: Call = {}) =>
  fetch(`http://localhost:${node.port}${path}`, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : { cookie, origin: BASE_URL, 'user-agent': BROWSER }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

/** A program, and an owner who has signed up on that node. */
export const givenOwnerOn = async (DATABASE_URL: string, node: Service) => {
  const program = await givenProgramOn(DATABASE_URL)
  const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  const signedUp = await ask(node, 'POST', '/api/auth/sign-up/email', { body: account })
  expect(signedUp.status).toBe(200)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  await program.pool.query(
    `INSERT INTO members (id, organization_id, user_id, role) SELECT 'm', $1, id, 'owner' FROM users WHERE email = $2`,
    [program.workspaceId, account.email],
  )
  return { ...program, account, cookie, api: `/api/programs/${program.id}` }
}
