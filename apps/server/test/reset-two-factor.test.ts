import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSecrets } from '../src/secrets.ts'
import { runCommand } from './lifecycle/run-command.ts'
import { expectRefusal, givenUser } from './support/given.ts'
import { asService } from './support/postgres.ts'
import { givenService } from './support/shared-service.ts'
import { givenTwoFactorUser, signInByPassword } from './support/two-factor.ts'

const service = await givenService()
const dataDir = mkdtempSync(join(tmpdir(), 'reset-two-factor-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
loadSecrets(dataDir)

const reset = async (...args: string[]) => {
  const { databaseUrl: DATABASE_OWNER_URL } = service
  const env = { DATA_DIR: dataDir, DATABASE_URL: await asService(DATABASE_OWNER_URL), DATABASE_OWNER_URL }
  return runCommand('admin disable-two-factor', env, ...args)
}

test('the operator lets someone in who lost their device and recovery codes', async () => {
  const [user, other] = [await givenTwoFactorUser(service), await givenTwoFactorUser(service)]
  expect(await reset(user.email.toUpperCase())).toMatchObject({ code: 0, stderr: '' })
  expectRefusal(await user.call('GET', '/api/me'), 401, 'unauthenticated')
  expect((await signInByPassword(service, user)).body.user.email).toBe(user.email)
  expect((await other.call('GET', '/api/me')).status).toBe(200)
  expect((await signInByPassword(service, other)).body).toEqual({ twoFactorRequired: true })
  expect(await reset(user.email)).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') })
})

test('a wrong name changes nothing and says so', async () => {
  const user = await givenUser(service)
  expect(await reset('nobody@example.com')).toMatchObject({ code: 1, stderr: expect.stringContaining('No account') })
  for (const args of [[], ['ada'], [user.email, 'more']])
    expect(await reset(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Usage: npm run tributary -- admin disable'),
    })
  expect((await user.call('GET', '/api/me')).status).toBe(200)
})
