// A person who knows the old password of an account is signing in while the account changes hands: the service has read the old hash
// and is still checking the password.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { runCli } from '../src/commands/cli.ts'
import { saveSecrets } from '../src/secrets.ts'
import { sessionOf } from './support/accounts.ts'
import { expectRefusal, givenUser, givenWorkspace } from './support/given.ts'
import { asService } from './support/postgres.ts'
import { startTestService } from './support/service.ts'
import { unique } from './support/unique.ts'
import { untilWaiting } from './support/until-waiting.ts'

const OLD_PASSWORD = 'the squatter’s password'
const NEW_PASSWORD = 'the owner’s password'

/** While set, the check of the old password has a result but has not returned it. */
let hold: { reached: () => void; released: Promise<void> } | null = null

const service = await startTestService(
  { openSignup: true },
  {
    passwords: {
      hash: hashPassword,
      verify: async (of) => {
        const isRight = await verifyPassword(of)
        if (hold && of.password === OLD_PASSWORD) {
          hold.reached()
          await hold.released
        }
        return isRight
      },
    },
  },
)
const dataDir = mkdtempSync(join(tmpdir(), 'tributary-in-flight-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
saveSecrets(dataDir, {
  sessionSecret: 'abcdefghij'.repeat(4),
  hashKey: 'klmnopqrst'.repeat(4),
  databasePassword: 'uvwxyz0123'.repeat(4),
})
await givenUser(service)

const admin = async (...args: string[]) => {
  const { databaseUrl: DATABASE_OWNER_URL } = service
  const env = { DATA_DIR: dataDir, DATABASE_URL: await asService(DATABASE_OWNER_URL), DATABASE_OWNER_URL }
  const ignore = () => undefined
  expect(await runCli({ args: ['admin', ...args], env, print: ignore, printError: ignore })).toBe(0)
}

const givenSquatter = async () => {
  const email = `${unique('ada')}@example.com`
  const account = { name: 'Mallory', email, password: OLD_PASSWORD }
  expect((await service.call('POST', '/api/auth/sign-up/email', account)).status).toBe(200)
  return { email, password: OLD_PASSWORD }
}

/** Runs `act` while a call checks the old password, and returns that call’s response. */
const during = async <Answer>(call: () => Promise<Answer>, act: () => Promise<unknown>) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: checking, resolve: reached } = Promise.withResolvers<void>()
  hold = { reached, released }
  const answer = call()
  await checking
  await act()
  hold = null
  release()
  return answer
}

const sessionsOf = (email: string) =>
  service.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select('sessions.id')
    .where('users.email', '=', email)
    .execute()

describe('a sign-in with the old password gets no session', () => {
  const signIn = (account: object) => service.call('POST', '/api/auth/sign-in/email', account)

  test('while create-owner --existing takes over the account', async () => {
    const squatter = await givenSquatter()
    const workspaceId = await givenWorkspace(await givenUser(service))
    const answer = await during(
      () => signIn(squatter),
      () => admin('create-owner', squatter.email, '--workspace', workspaceId, '--existing'),
    )
    expectRefusal(answer, 401, 'invalid_credentials')
    expect(await sessionsOf(squatter.email)).toEqual([])
  })

  test('while reset-password replaces it', async () => {
    const squatter = await givenSquatter()
    const answer = await during(
      () => signIn(squatter),
      () => admin('reset-password', squatter.email),
    )
    expectRefusal(answer, 401, 'invalid_credentials')
    expect(await sessionsOf(squatter.email)).toEqual([])
  })

  test('while the holder of an invitation claims the account', async () => {
    const squatter = await givenSquatter()
    const owner = await givenUser(service)
    const workspaceId = await givenWorkspace(owner)
    const invitation = { email: squatter.email, role: 'admin' }
    const invited = await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, invitation)
    const account = { name: 'Ada', email: squatter.email, password: NEW_PASSWORD, invitationId: invited.body.data.id }
    const answer = await during(
      () => signIn(squatter),
      async () => expect((await service.call('POST', '/api/auth/sign-up/email', account)).status).toBe(200),
    )
    expectRefusal(answer, 401, 'invalid_credentials')
    expect(await sessionsOf(squatter.email)).toHaveLength(1)
  })
})

test('a change of the password that started before create-owner --existing does not undo it', async () => {
  const { email } = await givenSquatter()
  const workspaceId = await givenWorkspace(await givenUser(service))
  const { name, value } = await sessionOf(service.db, email)
  const change = { currentPassword: OLD_PASSWORD, newPassword: 'another password', revokeOtherSessions: true }
  const cookie = `${name}=${value}`
  let taken: Promise<unknown> = Promise.resolve()
  await during(
    () => service.call('POST', '/api/auth/change-password', change, { cookie }),
    async () => {
      taken = admin('create-owner', email, '--workspace', workspaceId, '--existing')
      await Promise.race([taken, untilWaiting(service.pool)])
    },
  )
  await taken
  expect(await sessionsOf(email)).toEqual([])
  const again = await service.call('POST', '/api/auth/sign-in/email', { email, password: change.newPassword })
  expectRefusal(again, 401, 'invalid_credentials')
})

test('a sign-in during an unrelated change of the account gets a session', async () => {
  const user = await givenSquatter()
  const answer = await during(
    () => service.call('POST', '/api/auth/sign-in/email', user),
    () => service.db.updateTable('users').set({ name: 'Ada' }).where('email', '=', user.email).execute(),
  )
  expect(answer.status).toBe(200)
})
