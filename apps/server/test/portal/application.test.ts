import { describe, expect, test } from 'bun:test'
import { applicationPage } from '@tributary/contract'
import { inTransaction } from '../../src/database/transaction.ts'
import { createDefaultGroup } from '../../src/partners/groups.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { cookieOf, givenPortal, PASSWORD, REWARD } from './given-portal.ts'

const open = await startTestService()
const { callerWith } = givenPortal(open)

describe('an application', () => {
  const givenOpenProgram = async () => {
    const program = await givenPayingProgram(open, REWARD)
    await program.owner.call('PATCH', program.api, { applicationsOpen: true, applicationText: 'Come and join.' })
    return { ...program, page: `/api/public/programs/${program.id}` }
  }

  test('creates an account and a partner who waits for approval', async () => {
    const { page, owner, api, id } = await givenOpenProgram()
    expect(applicationPage.parse((await open.call('GET', `${page}/application`)).body.data)).toMatchObject({
      text: 'Come and join.',
      reward: { sale: { percentBps: 1000 } },
    })
    const person = { name: 'Ada', email: `${unique('ada')}@example.com`, password: PASSWORD }
    const applied = await open.call('POST', `${page}/apply`, person)
    expect([applied.status, applied.body, applied.headers.getSetCookie()]).toEqual([
      200,
      { data: { received: true } },
      [],
    ])
    const signedIn = await open.call('POST', '/api/auth/sign-in/email', person)
    const ada = callerWith(cookieOf(signedIn.headers))
    expect((await ada.call('GET', '/api/portal/programs')).body.data).toMatchObject([
      { programId: id, status: 'pending', mayCreateLinks: false },
    ])
    const [partner] = (await owner.call('GET', `${api}/partners?status=pending`)).body.data
    expect(partner).toMatchObject({ name: 'Ada', email: person.email })
    await owner.call('PATCH', `${api}/partners/${partner.id}`, { status: 'approved' })
    expect((await ada.call('GET', '/api/portal/programs')).body.data).toMatchObject([{ status: 'approved' }])
  })

  test('answers the same for an address that has an account, and creates nothing', async () => {
    const { page, owner, api, id } = await givenOpenProgram()
    const known = await givenUser(open)
    const answer = await open.call('POST', `${page}/apply`, {
      name: 'Thief',
      email: known.email,
      password: 'another password',
    })
    expect([answer.status, answer.body]).toEqual([200, { data: { received: true } }])
    expect((await owner.call('GET', `${api}/partners?status=pending`)).body.data).toEqual([])
    expect((await known.call('GET', '/api/portal/programs')).body.data).toEqual([])
    expect((await known.call('POST', `/api/portal/programs/${id}/apply`)).status).toBe(201)
    expectRefusal(await known.call('POST', `/api/portal/programs/${id}/apply`), 409, 'conflict')
  })

  /** Blocks writes to partner_users while `run` runs, until they time out. */
  const whilePartnerUsersLocked = async <T>(run: () => Promise<T>) => {
    const blocker = await open.pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE partner_users IN EXCLUSIVE MODE')
    try {
      return await run()
    } finally {
      await blocker.query('ROLLBACK')
      blocker.release()
    }
  }
  const accountsOf = async (email: string) =>
    (await open.pool.query('SELECT 1 FROM users WHERE email = $1', [email])).rowCount

  test('that fails midway leaves nothing, and the same call again succeeds', async () => {
    const { page, owner, api } = await givenOpenProgram()
    const person = { name: 'Ada', email: `${unique('ada')}@example.com`, password: PASSWORD }
    const failed = await whilePartnerUsersLocked(() => open.call('POST', `${page}/apply`, person))
    expectRefusal(failed, 503, 'unavailable')
    expect(await accountsOf(person.email)).toBe(0)
    expect((await open.call('POST', `${page}/apply`, person)).status).toBe(200)
    expect((await owner.call('GET', `${api}/partners?status=pending`)).body.data).toMatchObject([
      { email: person.email },
    ])
  })

  test('with the password of an existing account is received for that account, and twice counts once', async () => {
    const { page, owner, api } = await givenOpenProgram()
    const known = await givenUser(open)
    const person = { name: 'Another name', email: known.email.toUpperCase(), password: PASSWORD }
    const answers = await Promise.all([1, 2, 3].map(() => open.call('POST', `${page}/apply`, person)))
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [200, { data: { received: true } }]),
    )
    expect((await owner.call('GET', `${api}/partners?status=pending`)).body.data).toMatchObject([
      { name: 'Sam Reed', email: known.email },
    ])
    expect((await known.call('GET', '/api/portal/programs')).body.data).toMatchObject([{ status: 'pending' }])
  })

  test('sent several times concurrently by a new person creates one account and one partner', async () => {
    const { page, owner, api } = await givenOpenProgram()
    const person = { name: 'Ada', email: `${unique('ada')}@example.com`, password: PASSWORD }
    const answers = await Promise.all([1, 2, 3, 4].map(() => open.call('POST', `${page}/apply`, person)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await accountsOf(person.email)).toBe(1)
    expect((await owner.call('GET', `${api}/partners?status=pending`)).body.data).toHaveLength(1)
  })

  test('sent several times concurrently from the portal creates one partner', async () => {
    const { owner, api, id } = await givenOpenProgram()
    const known = await givenUser(open)
    const answers = await Promise.all([1, 2, 3, 4].map(() => known.call('POST', `/api/portal/programs/${id}/apply`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    expect((await owner.call('GET', `${api}/partners?status=pending`)).body.data).toHaveLength(1)
  })

  test('with the address of another partner names no one, and a second one says that one exists', async () => {
    const { owner, api, id } = await givenOpenProgram()
    const known = await givenUser(open)
    const partner = { name: 'Secret Agent', email: known.email.toUpperCase() }
    const added = await owner.call('POST', `${api}/partners`, partner)
    expect(added.status).toBe(201)
    const apply = () => known.call('POST', `/api/portal/programs/${id}/apply`)
    const refused = await apply()
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body.error.message).toBe(
      'You cannot apply to this program with this email address. Ask the business that runs it for an invitation.',
    )
    await owner.call('PATCH', `${api}/partners/${added.body.data.id}`, { email: null })
    expect((await apply()).status).toBe(201)
    expect((await apply()).body.error.message).toBe(
      'You are already a partner of this program, or have already applied.',
    )
  })

  test('to a program that accepts none answers 404', async () => {
    const program = await givenPayingProgram(open, REWARD)
    const someone = await givenUser(open)
    for (const id of [program.id, 999_999, 'x', '0']) {
      expectRefusal(await open.call('GET', `/api/public/programs/${id}/application`), 404, 'program_not_found')
      expectRefusal(
        await open.call('POST', `/api/public/programs/${id}/apply`, { name: 'x' }),
        404,
        'program_not_found',
      )
      expectRefusal(await someone.call('POST', `/api/portal/programs/${id}/apply`), 404, 'program_not_found')
    }
  })

  test('is limited to 10 attempts a minute and IP', async () => {
    const limited = await startTestService({ rateLimits: true })
    limited.clock.stop()
    const attempt = () => limited.call('POST', '/api/public/programs/1/apply', {})
    for (let attempts = 0; attempts < 10; attempts++) expectRefusal(await attempt(), 404, 'program_not_found')
    expectRefusal(await attempt(), 429, 'rate_limited')
  })

  test('does not use up the first account of an instance', async () => {
    const fresh = await startTestService({ openSignup: false })
    await fresh.pool.query("INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w')")
    await fresh.pool.query(
      "INSERT INTO programs (workspace_id, name, applications_open, created_at) VALUES ('w', 'P', true, now())",
    )
    const [{ id }] = (await fresh.pool.query('SELECT id FROM programs')).rows
    await inTransaction(fresh.db, (tx) => createDefaultGroup(tx, { programId: id, createdAt: new Date() }))
    expect(
      (
        await fresh.call('POST', `/api/public/programs/${id}/apply`, {
          name: 'x',
          email: 'x@example.com',
          password: PASSWORD,
        })
      ).status,
    ).toBe(200)
    const signUp = (email: string) =>
      fresh.call('POST', '/api/auth/sign-up/email', { name: 'x', email, password: PASSWORD })
    expect((await signUp('owner@example.com')).status).toBe(200)
    expectRefusal(await signUp('late@example.com'), 403, 'sign_up_closed')
  })
})
