import { describe, expect, test } from 'bun:test'
import { until } from '../lifecycle/given-service.ts'
import { givenPortal } from '../portal/given-portal.ts'
import { PASSWORD } from '../support/accounts.ts'
import { expectRefusal, givenClick, givenUser, givenWorkspace, type User, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { enroll, givenTwoFactorUser, nextCodeOf } from '../support/two-factor.ts'

const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail })
const limited = await startTestService({ mail: smtp.mail, rateLimits: true }, { callsPerMinute: { signIn: 2 } })
limited.clock.stop()

const PATH = '/api/auth/change-email'
const newAddress = () => `${unique('new')}@example.com`
const emailsTo = (email: string) => smtp.received.filter(({ to }) => to === email)
const request = (user: Pick<User, 'call'>, email: string, more: object = {}) =>
  user.call('POST', PATH, { email, password: PASSWORD, ...more })
const confirm = (user: Pick<User, 'call'>, token: string) => user.call('POST', `${PATH}/confirm`, { token })

const lastLinkTo = async (email: string) => {
  await until(async () => emailsTo(email).length > 0)
  const address = new URL(/https?:\S+/.exec(emailsTo(email).at(-1)?.text ?? '')?.[0] ?? '')
  return { address, token: address.searchParams.get('token') ?? '' }
}
const addressOf = async (user: Pick<User, 'call'>) => (await user.call('GET', '/api/me')).body.data.user.email

/** Both links are opened. */
const change = async (user: User, email: string) => {
  expect((await request(user, email)).body).toEqual({ data: { state: 'approval_sent', mailed: true } })
  const approved = await confirm(user, (await lastLinkTo(user.email)).token)
  expect(approved.body).toEqual({ data: { state: 'confirmation_sent', email, mailed: true } })
  return confirm(user, (await lastLinkTo(email)).token)
}

describe('an account’s email address', () => {
  test('changes once its owner has opened a link at the current address, and then one at the new address', async () => {
    const user = await givenUser(service)
    const workspaceId = await givenWorkspace(user)
    const email = newAddress()
    await request(user, email.toUpperCase())
    const { address, token } = await lastLinkTo(user.email)
    expect(address.pathname + address.search).toBe(`/account/email?step=approve&token=${token}`)
    expect(emailsTo(email)).toEqual([])
    await confirm(user, token)
    expect(await addressOf(user)).toBe(user.email)
    const second = await lastLinkTo(email)
    expect(second.address.searchParams.get('step')).toBe('confirm')
    expect((await confirm(user, second.token)).body).toEqual({ data: { state: 'changed', email } })
    // The session and the membership go on; the password is the same.
    const { body } = await user.call('GET', '/api/me')
    expect(body.data).toMatchObject({ user: { email }, workspaces: [{ id: workspaceId }] })
    const signIn = (address: string) =>
      service.call('POST', '/api/auth/sign-in/email', { email: address, password: PASSWORD })
    expect((await signIn(email)).status).toBe(200)
    expect((await signIn(user.email)).status).toBe(401)
    await until(async () => emailsTo(user.email).length === 2)
    expect(emailsTo(user.email).at(-1)?.text).toContain(email)
    const { rows } = await service.pool.query('SELECT * FROM audit_entries WHERE workspace_id = $1 ORDER BY id', [
      workspaceId,
    ])
    expect(rows.at(-1)).toMatchObject({
      action: 'email address changed',
      before: { email: user.email },
      after: { email },
    })
  })

  test('is a partner’s sign-in too: they keep their portal, and the merchant sees the new address', async () => {
    const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' } })
    const partner = await givenPortal(service).givenPartner(program)
    const email = newAddress()
    expect((await change(partner, email)).body.data.state).toBe('changed')
    expect((await partner.call('GET', `/api/portal/programs/${program.id}/links`)).status).toBe(200)
    const { rows } = await service.pool.query(
      "SELECT subject, by_partner_id FROM audit_entries WHERE program_id = $1 AND action = 'email address changed'",
      [program.id],
    )
    expect(rows).toEqual([{ subject: `partner ${program.link.partnerId}`, by_partner_id: expect.anything() }])
    // A customer with the address that the partner signs in with now is the partner.
    const click_id = await givenClick(service, program.link)
    await program.lead({ customer_key: 'self', click_id, email })
    await program.sale({ customer_key: 'self', amount: 1_000, invoice_id: 'self-1' })
    expect(await program.commissions()).toMatchObject([{ state: 'review', reviewReason: 'customer_is_partner' }])
  })

  test('takes each link once, in order, within an hour, and only in a session of the same account', async () => {
    const [user, other] = [await givenUser(service), await givenUser(service)]
    const email = newAddress()
    await request(user, email)
    const { token } = await lastLinkTo(user.email)
    expectRefusal(await confirm(other, token), 404, 'not_found')
    expectRefusal(await service.call('POST', `${PATH}/confirm`, { token }), 401, 'unauthenticated')
    const both = await Promise.all([confirm(user, token), confirm(user, token)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const second = await lastLinkTo(email)
    // Whoever owns the new address and opens the link by mistake does not give it to the account.
    expectRefusal(await confirm(other, second.token), 404, 'not_found')
    const { rows } = await service.pool.query(
      "UPDATE verifications SET expires_at = expires_at - interval '1 hour' WHERE value LIKE $1 RETURNING identifier",
      [`%${email}%`],
    )
    expect(JSON.stringify(rows)).not.toContain(second.token)
    expectRefusal(await confirm(user, second.token), 404, 'not_found')
    expect(await addressOf(user)).toBe(user.email)
  })

  test('ends earlier links when it is requested again, and when it has changed', async () => {
    const user = await givenUser(service)
    await request(user, newAddress())
    const { token: first } = await lastLinkTo(user.email)
    const email = newAddress()
    await request(user, email)
    expectRefusal(await confirm(user, first), 404, 'not_found')
    // A password reset that was sent to the address until now.
    await service.call('POST', '/api/auth/request-password-reset', { email: user.email })
    await until(async () => emailsTo(user.email).length === 3)
    const { token: reset } = await lastLinkTo(user.email)
    await confirm(
      user,
      new URL(/https?:\S+/.exec(emailsTo(user.email)[1]?.text ?? '')?.[0] ?? '').searchParams.get('token') ?? '',
    )
    expect((await confirm(user, (await lastLinkTo(email)).token)).body.data.state).toBe('changed')
    const again = await service.call('POST', '/api/auth/reset-password', { token: reset, newPassword: 'a stolen one' })
    expectRefusal(again, 404, 'not_found')
  })

  test('of another account is not taken, and only its owner learns that the account exists', async () => {
    const [user, victim] = [await givenUser(service), await givenUser(service)]
    const answers = [await request(user, newAddress()), await request(user, victim.email)]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    const approved = await confirm(user, (await lastLinkTo(user.email)).token)
    expect(approved.body).toEqual({ data: { state: 'confirmation_sent', email: victim.email, mailed: true } })
    const [notice] = emailsTo(victim.email)
    expect(notice?.text).toContain('already has an account')
    expect(notice?.text).not.toContain('http')
    expect([await addressOf(user), await addressOf(victim)]).toEqual([user.email, victim.email])
  })

  test('that someone took in the meantime is refused at the end', async () => {
    const [user, other] = [await givenUser(service), await givenUser(service)]
    const email = newAddress()
    await request(user, email)
    await confirm(user, (await lastLinkTo(user.email)).token)
    const { token } = await lastLinkTo(email)
    await service.pool.query('UPDATE users SET email = $1 WHERE email = $2', [email, other.email])
    expectRefusal(await confirm(user, token), 409, 'conflict')
    expect(await addressOf(user)).toBe(user.email)
  })

  test('needs a session, the password, and another address', async () => {
    const user = await givenUser(service)
    expectRefusal(await service.call('POST', PATH, { email: newAddress() }), 401, 'unauthenticated')
    for (const password of [undefined, 'a wrong password'])
      expectRefusal(await request(user, newAddress(), { password }), 401, 'invalid_credentials')
    for (const email of [user.email, user.email.toUpperCase(), 'not an address', ''])
      expectRefusal(await request(user, email), 400, 'invalid_request')
    expect(emailsTo(user.email)).toEqual([])
  })

  test('needs the second factor, if the account has one', async () => {
    const user = await givenTwoFactorUser(service)
    expectRefusal(await request(user, newAddress()), 400, 'invalid_request')
    const code = await nextCodeOf(service, user)
    const wrong = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))
    expectRefusal(await request(user, newAddress(), { code: wrong }), 401, 'invalid_credentials')
    const requested = await request(user, newAddress(), { code })
    expect(requested.body.data.state).toBe('approval_sent')
  })

  test('needs a second factor, if a workspace of the member or partner requires one', async () => {
    const program = await givenPayingProgram(service, null)
    const partner = await givenPortal(service).givenPartner(program)
    const owner = await enroll(service, program.owner)
    const security = `/api/workspaces/${program.workspaceId}/security`
    expect((await owner.call('PUT', security, { requireTwoFactor: true })).status).toBe(200)
    expectRefusal(await request(partner, newAddress()), 403, 'two_factor_required')
    const code = await nextCodeOf(service, owner)
    expect((await request(owner, newAddress(), { code })).status).toBe(200)
  })

  test('stays where an identity provider manages it', async () => {
    const user = await givenUser(service)
    await service.pool.query(
      `INSERT INTO credentials (id, account_id, provider_id, user_id)
       SELECT gen_random_uuid(), gen_random_uuid(), 'oidc', id FROM users WHERE email = $1`,
      [user.email],
    )
    expectRefusal(await request(user, newAddress()), 409, 'conflict')
  })

  test('is requested and confirmed only a few times per minute', async () => {
    const user = await givenUser(limited)
    for (let call = 0; call < 2; call++) await request(user, newAddress(), { password: 'a guess' })
    expectRefusal(await request(user, newAddress()), 429, 'rate_limited')
  })
})

describe('without a mail server', async () => {
  const plain = await startTestService({ openSignup: false })
  await givenUser(plain)

  test('the address changes with the password, unconfirmed, and sessions go on', async () => {
    const user = await givenUser(plain)
    const email = newAddress()
    expectRefusal(await request(user, email, { password: 'a wrong password' }), 401, 'invalid_credentials')
    expect((await request(user, email)).body).toEqual({ data: { state: 'changed', email } })
    expect(await addressOf(user)).toBe(email)
    const { rows } = await plain.pool.query('SELECT email_verified FROM users WHERE email = $1', [email])
    expect(rows).toEqual([{ email_verified: false }])
    expectRefusal(await confirm(user, 'any'), 404, 'not_found')
  })

  test('no one gets an address that belongs to an account, an invitation or another partner', async () => {
    const cheat = await givenUser(plain)
    const program = await givenPayingProgram(plain, null)
    const invite = (email: string) =>
      program.owner.call('POST', `/api/workspaces/${program.workspaceId}/invitations`, { email, role: 'member' })
    const [member, contact, partner] = [newAddress(), newAddress(), newAddress()]
    expect((await invite(member)).status).toBe(201)
    const partners = `${program.api}/partners`
    const added = await program.owner.call('POST', partners, { name: 'Victim', email: contact })
    expect(added.status).toBe(201)
    await program.owner.call('POST', `${partners}/${program.link.partnerId}/invite`, { email: partner })
    const answers = []
    for (const email of [program.owner.email, member, contact, partner]) answers.push(await request(cheat, email))
    for (const answer of answers) expectRefusal(answer, 409, 'conflict')
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1)
    expect(await addressOf(cheat)).toBe(cheat.email)
  })

  test('of two accounts that want the same address, one gets it', async () => {
    const users = [await givenUser(plain), await givenUser(plain)]
    const email = newAddress()
    const answers = await Promise.all(users.map((user) => request(user, email)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
