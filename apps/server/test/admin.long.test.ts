import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { sql } from 'kysely'
import { runCli } from '../src/commands/cli.ts'
import type { Database } from '../src/database/connect.ts'
import { asOwner } from '../src/database/start/as-owner.ts'
import { saveSecrets } from '../src/secrets.ts'
import { createAccount, openSession, PASSWORD } from './support/accounts.ts'
import { cookieOf, expectRefusal, givenProgram, givenUser, givenWorkspace } from './support/given.ts'
import { type Person, startIdentityProvider } from './support/identity-provider.ts'
import { asService, createTestDatabase, dropTestDatabase } from './support/postgres.ts'
import { startTestService } from './support/service.ts'
import { isLongRun } from './support/size.ts'
import { codeOf, signInByPassword, verify } from './support/two-factor.ts'
import { unique } from './support/unique.ts'

// The commands hash passwords as in production, so the service must verify them the same way.
const provider = await startIdentityProvider()
const service = await startTestService({ oidc: provider.settings }, { passwords: undefined })
const dataDir = mkdtempSync(join(tmpdir(), 'tributary-admin-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
const secrets = {
  sessionSecret: 'abcdefghij'.repeat(4),
  hashKey: 'klmnopqrst'.repeat(4),
  databasePassword: 'uvwxyz0123'.repeat(4),
}
saveSecrets(dataDir, secrets)

const admin = async (...args: string[]) => {
  const { databaseUrl: DATABASE_OWNER_URL } = service
  return runAdmin({ DATA_DIR: dataDir, DATABASE_URL: await asService(DATABASE_OWNER_URL), DATABASE_OWNER_URL }, ...args)
}

const runAdmin = async (env: Record<string, string>, ...args: string[]) => {
  const output = { stdout: '', stderr: '' }
  const code = await runCli({
    args: ['admin', ...args],
    env,
    print: (line) => {
      output.stdout += `${line}\n`
    },
    printError: (line) => {
      output.stderr += `${line}\n`
    },
  })
  return { code, ...output }
}

const signIn = (email: string, password: string) => service.call('POST', '/api/auth/sign-in/email', { email, password })
const passwordIn = (stdout: string) => /^Password {2}(\S+)$/m.exec(stdout)?.[1] ?? ''
const auditOf = (action: string) =>
  service.db.selectFrom('auditEntries').selectAll().where('action', '=', action).where('userId', 'is', null).execute()

test('the operator creates an owner, who signs in and owns a workspace; the same call twice adds no second account', async () => {
  const email = `${unique('owner')}@example.com`
  const made = await admin('create-owner', email.toUpperCase(), '--new-workspace', 'Acme')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect((await signIn(email, passwordIn(made.stdout))).body.user.email).toBe(email)
  const listed = await admin('workspaces')
  expect(listed.stdout).toMatch(new RegExp(`Acme +1 member +${email}`))
  const workspaceId = /^(\S+) +Acme /m.exec(listed.stdout)?.[1] ?? ''
  expect(await auditOf('workspace created')).toMatchObject([{ workspaceId, after: { by: 'command line' } }])

  const other = await givenUser(service)
  expect(await admin('create-owner', other.email, '--workspace', workspaceId)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`^${other.email} already has an account, created on .* add --existing `)),
  })
  expect((await other.call('GET', '/api/workspaces')).body.data).toEqual([])
  for (const _ of [1, 2]) {
    const given = await admin('create-owner', other.email, '--workspace', workspaceId, '--existing')
    expect(given.stdout).toStartWith(`${other.email} is now an owner of Acme.\n`)
    const cookie = cookieOf((await signIn(other.email, passwordIn(given.stdout))).headers)
    const seen = await service.call('GET', '/api/workspaces', undefined, { cookie })
    expect(seen.body.data).toMatchObject([{ id: workspaceId, role: 'owner' }])
  }
  expect(await auditOf('member added')).toHaveLength(1)

  await service.db.updateTable('members').set({ role: 'viewer' }).where('organizationId', '=', workspaceId).execute()
  expect((await admin('create-owner', email, '--workspace', workspaceId, '--existing')).code).toBe(0)
  expect((await admin('workspaces')).stdout).toMatch(new RegExp(`Acme +2 members +${email}\n`))
  expect(await auditOf('member added')).toMatchObject([{}, { before: { role: 'viewer' } }])
})

test('the operator resets a password: old sessions and the old password end, and the audit log says so', async () => {
  const owner = await givenUser(service)
  await givenWorkspace(owner)
  const [first, second] = [await admin('reset-password', owner.email), await admin('reset-password', owner.email)]
  expect(second).toMatchObject({ code: 0, stderr: '' })
  expectRefusal(await owner.call('GET', '/api/me'), 401, 'unauthenticated')
  expect((await signIn(owner.email, passwordIn(first.stdout))).status).toBe(401)
  expect((await signIn(owner.email, passwordIn(second.stdout))).body.user.email).toBe(owner.email)
  expect(await auditOf('password reset')).toMatchObject([{ subject: `member ${owner.email}` }, {}])
})

describe('an address that a squatter registered first', () => {
  const signOn = async (person: Person) => {
    const started = await service.call('POST', '/api/auth/sign-in/oidc', {})
    const { path } = provider.agree(started.body.data.url, person)
    const cookie = cookieOf(started.headers)
    return (await fetch(service.url + path, { headers: { cookie }, redirect: 'manual' })).headers.get('location')
  }

  /** They have a session, a second factor, an account of the identity provider, and a workspace with an open invitation. */
  const givenSquatter = async () => {
    const email = `${unique('ada')}@example.com`
    const account = { name: 'Mallory', email, password: PASSWORD }
    expect((await service.call('POST', '/api/auth/sign-up/email', account)).status).toBe(200)
    const { cookie } = await signInByPassword(service, { email })
    const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, { cookie })
    const workspaceId = await givenWorkspace({ email, cookie, call })
    const person = { sub: unique('sub'), email, email_verified: true, name: 'Mallory' }
    expect(await signOn(person)).toBe('http://localhost:3000/')
    // Signing on ended the password, as for every account whose address was never confirmed.
    const reset = await admin('reset-password', email)
    const password = passwordIn(reset.stdout)
    const again = cookieOf((await signIn(email, password)).headers)
    const squat = (path: string, body: object) => service.call('POST', path, body, { cookie: again })
    return { email, squat, password, person, workspaceId }
  }

  test('is the operator’s alone once they make it an owner, and the command says so', async () => {
    const { email, password, person, workspaceId, squat } = await givenSquatter()
    const accomplice = `${unique('accomplice')}@example.com`
    const invitation = { email: accomplice, role: 'admin' }
    const invited = await squat(`/api/workspaces/${workspaceId}/invitations`, invitation)
    expect(invited.status).toBe(201)
    const enabled = await squat('/api/auth/two-factor/enable', { password })
    const code = await codeOf(service, { email })
    const confirmed = await squat('/api/auth/two-factor/confirm', { code })
    const session = cookieOf(confirmed.headers)
    const challenge = cookieOf((await signIn(email, password)).headers)

    const given = await admin('create-owner', email, '--workspace', workspaceId, '--existing')
    expect(given).toMatchObject({ code: 0, stderr: '' })
    const asked = await service.call('GET', '/api/me', undefined, { cookie: session })
    expectRefusal(asked, 401, 'unauthenticated')
    expectRefusal(await signIn(email, password), 401, 'invalid_credentials')
    const recoveryCode = enabled.body.data.recoveryCodes[0]
    expect((await verify(service, challenge, { recoveryCode })).status).toBe(401)
    expect(await signOn({ ...person, email: `${unique('mallory')}@example.com` })).toContain('problem=not_invited')
    const path = '/api/auth/sign-up/email'
    const signUp = { name: 'A', email: accomplice, password: PASSWORD, invitationId: invited.body.data.id }
    const joined = await service.call('POST', path, signUp)
    const entered = await service.call(
      'POST',
      `/api/invitations/${signUp.invitationId}/accept`,
      {},
      {
        cookie: cookieOf(joined.headers),
      },
    )
    expect(entered.status).toBeGreaterThan(399)

    expect(given.stdout).toContain(
      'The account existed. Its password was replaced, all its sessions have ended, and two-factor sign-in, the identity provider’s account and its invitations were removed.',
    )
    const operator = await signIn(email, passwordIn(given.stdout))
    expect(operator.body.user.email).toBe(email)
    const audit = await service.db
      .selectFrom('auditEntries')
      .select(['action', 'subject'])
      .where('workspaceId', '=', workspaceId)
      .where('userId', 'is', null)
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(audit).toEqual([
      { action: 'sign-in reset', subject: `member ${email}` },
      { action: 'invitation withdrawn', subject: `invitation of ${accomplice}` },
    ])
  })

  test('invites nobody to any workspace once the operator makes it an owner, and the command lists what else it reaches', async () => {
    const { email, squat, workspaceId: squatted } = await givenSquatter()
    const accomplice = `${unique('accomplice')}@example.com`
    const invited = await squat(`/api/workspaces/${squatted}/invitations`, { email: accomplice, role: 'admin' })
    expect(invited.status).toBe(201)
    const program = await givenProgram(service)
    const { id: userId } = await service.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await service.db
      .insertInto('partnerUsers')
      .values({
        userId,
        programId: program.id,
        partnerId: program.link.partnerId,
        createdAt: service.clock.now(),
      })
      .execute()

    const given = await admin('create-owner', email, '--new-workspace', 'Acme', '--existing')
    expect(given).toMatchObject({ code: 0, stderr: '' })
    const { status } = await service.db
      .selectFrom('invitations')
      .select('status')
      .where('email', '=', accomplice)
      .executeTakeFirstOrThrow()
    expect(status).toBe('canceled')
    const withdrawn = { workspaceId: squatted, subject: `invitation of ${accomplice}` }
    expect(await auditOf('invitation withdrawn')).toContainEqual(expect.objectContaining(withdrawn))
    expect(given.stdout).toMatch(new RegExp(`^Workspace +${squatted} .* owner$`, 'm'))
    expect(given.stdout).toMatch(new RegExp(`^Program +${program.id} .* partner ${program.link.partnerId}$`, 'm'))

    const again = await admin('create-owner', (await givenUser(service)).email, '--new-workspace', 'B', '--existing')
    expect(again.stdout).not.toMatch(/^(Workspace|Program) /m)
  })
})

test('the operator creates, lists and revokes keys', async () => {
  const program = await givenProgram(service)
  expect((await admin('programs')).stdout).toContain(program.workspaceId)
  const { stdout } = await admin('create-key', '--program', String(program.id), '--name', 'Shop')
  const key = stdout.split('\n')[0] ?? ''
  const sale = async () =>
    (await service.call('POST', '/api/v1/track/sale', {}, { authorization: `Bearer ${key}` })).status
  expect(await sale()).toBe(400)
  const id = key.split('_')[1] ?? ''
  expect((await admin('keys', '--program', String(program.id))).stdout).toMatch(new RegExp(`${id} +Shop .* active`))
  expect((await admin('revoke-key', id)).stdout).toContain(`Revoked API key ${id}`)
  expect((await admin('revoke-key', key)).stdout).toContain('was revoked before')
  while ((await sale()) !== 401) await Bun.sleep(20)
  expect(await auditOf('API key revoked')).toHaveLength(1)
})

test('a wrong call changes nothing and says what to do', async () => {
  const users = () => service.db.selectFrom('users').select('id').execute()
  const before = await users()
  for (const [args, sentence] of [
    [['create-owner'], 'Usage: npm run tributary -- admin create-owner EMAIL'],
    [['create-owner', 'ada'], '"ada" is not an email address.'],
    [['create-owner', 'ada@example.com', '--workspace', 'x'], 'npm run tributary -- admin workspaces'],
    [['create-owner', 'ada@example.com', '--existing'], 'Leave out --existing to create one.'],
    [['create-owner', 'ada@example.com', '--rol', 'x'], "Unknown option '--rol'"],
    [['reset-password', 'nobody@example.com'], 'No account has the address'],
    [['disable-two-factor', 'ada'], 'Usage: npm run tributary -- admin disable-two-factor'],
    [['create-key', '--program', '999999'], 'npm run tributary -- admin programs'],
    [['create-key'], '--program must be a program ID'],
    [['revoke-key', 'nothing'], 'There is no API key nothing'],
    [['rotate-session-secret'], 'The service is running.'],
  ] as const)
    expect(await admin(...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) })
  expect(await users()).toEqual(before)
  expect(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))).toEqual(secrets)
})

describe('a new session secret', () => {
  const fileOf = (name: string) => join(dataDir, `${name}.json`)
  const secretIn = (name: string): string => JSON.parse(readFileSync(fileOf(name), 'utf8')).sessionSecret
  const opens = async (db: Database, key: string) => {
    const { secret } = await db.selectFrom('twoFactors').select('secret').executeTakeFirstOrThrow()
    return symmetricDecrypt({ key, data: secret }).catch(() => null)
  }

  /** A stopped instance with one session and one authenticator app. */
  const givenStopped = async (work: (db: Database, env: Record<string, string>) => Promise<void>) => {
    const databaseUrl = await createTestDatabase()
    const env = { DATA_DIR: dataDir, DATABASE_URL: await asService(databaseUrl), DATABASE_OWNER_URL: databaseUrl }
    saveSecrets(dataDir, secrets)
    await asOwner(databaseUrl, async (db) => {
      const { id } = await createAccount(db)
      await openSession(db, id)
      const secret = await symmetricEncrypt({ key: secrets.sessionSecret, data: 'JBSWY3DPEHPK3PXP' })
      await db.insertInto('twoFactors').values({ id: 'one', userId: id, secret, backupCodes: '["x"]' }).execute()
      await work(db, env)
    })
    await dropTestDatabase(databaseUrl)
  }

  test('keeps authenticator apps working and ends every session', () =>
    givenStopped(async (db, env) => {
      expect(await runAdmin(env, 'rotate-session-secret')).toMatchObject({ code: 0, stderr: '' })
      const { sessionSecret, ...rest } = JSON.parse(readFileSync(fileOf('secrets'), 'utf8'))
      expect(sessionSecret).not.toBe(secrets.sessionSecret)
      expect({ ...rest, sessionSecret: secrets.sessionSecret }).toEqual(secrets)
      expect(await opens(db, sessionSecret)).toBe('JBSWY3DPEHPK3PXP')
      expect(await db.selectFrom('twoFactors').select('backupCodes').execute()).toEqual([{ backupCodes: '[]' }])
      expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
      expect(existsSync(fileOf('secrets.next'))).toBe(false)
    }))

  test.skipIf(!isLongRun)(
    'cut off before its commit, changes nothing; cut off after it, is found by the next command',
    () =>
      givenStopped(async (db, env) => {
        await db.transaction().execute(async (tx) => {
          await tx.selectFrom('sessions').selectAll().forUpdate().execute()
          const rotating = runAdmin(env, 'rotate-session-secret')
          const waiting = sql<{ pid: number }>`
          SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
          let pid: number | undefined
          // Outside the transaction, which would see the same activity again and again.
          while (!pid) pid = (await waiting.execute(db)).rows[0]?.pid
          await sql`SELECT pg_terminate_backend(${pid})`.execute(db)
          expect((await rotating).code).toBe(1)
        })
        const lost = secretIn('secrets.next')
        expect((await runAdmin(env, 'workspaces')).code).toBe(0)
        expect(secretIn('secrets')).toBe(secrets.sessionSecret)
        expect(await opens(db, secrets.sessionSecret)).toBe('JBSWY3DPEHPK3PXP')

        expect((await runAdmin(env, 'rotate-session-secret')).code).toBe(0)
        const next = secretIn('secrets')
        expect([lost, secrets.sessionSecret]).not.toContain(next)
        // As a kill between the commit and the file leaves it.
        renameSync(fileOf('secrets'), fileOf('secrets.next'))
        saveSecrets(dataDir, secrets)
        expect((await runAdmin(env, 'workspaces')).code).toBe(0)
        expect(secretIn('secrets')).toBe(next)
        expect(await opens(db, next)).toBe('JBSWY3DPEHPK3PXP')
      }),
  )

  test('given as a setting, is printed before it is used, and a wrong one is refused', () =>
    givenStopped(async (db, env) => {
      const given = (SESSION_SECRET: string) => ({ ...env, SESSION_SECRET, HASH_KEY: secrets.hashKey })
      const { stdout, code } = await runAdmin(given(secrets.sessionSecret), 'rotate-session-secret')
      expect(code).toBe(0)
      expect(await opens(db, /^The new session secret is (\S+)$/m.exec(stdout)?.[1] ?? '')).toBe('JBSWY3DPEHPK3PXP')
      expect(await runAdmin(given(secrets.sessionSecret), 'rotate-session-secret')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('set SESSION_SECRET to the value that it printed'),
      })
    }))
})
