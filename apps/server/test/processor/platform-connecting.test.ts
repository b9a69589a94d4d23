import { describe, expect, test } from 'bun:test'
import { makeState, readState } from '../../src/processor/connections/oauth-state.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { givenPlatform, PLATFORM_SECRET } from './given-platform.ts'
import { post, signatureOf, TEN_PERCENT } from './given-processor.ts'
import { stripePayment } from './stripe-events.ts'

const {
  service,
  standIn,
  givenMerchant,
  begin,
  returnFromStripe,
  codeOf,
  connect,
  connectionOf,
  deliver,
  salesOf,
  paymentOf,
} = await givenPlatform()
const bare = await startTestService()
const MINUTE_MS = 60_000

describe('connecting through the platform', () => {
  test('sends the merchant to Stripe and returns with the account', async () => {
    const program = await givenMerchant()
    const url = await begin(program)
    expect(url.origin).toBe(standIn.url)
    expect(url.pathname).toBe('/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'ca_platform',
      response_type: 'code',
      scope: 'read_only',
      redirect_uri: 'http://localhost:3000/api/processor/callback',
    })
    const account = unique('acct')
    const answer = await connect(program, account)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(
      `http://localhost:3000/programs/${program.id}/set-up?processor=connected`,
    )
    expect(await connectionOf(program)).toMatchObject({
      status: 'connected',
      kind: 'platform',
      accountId: account,
      chargesEnabled: true,
      payoutsEnabled: true,
      detailsSubmitted: true,
    })
    const { body } = await program.owner.call('GET', `/api/tracking/status/${program.id}`)
    expect(body.data).toMatchObject({
      stepStatuses: { payments: 'complete' },
      statistics: { payments: { processorAccountId: account, chargesEnabled: true, isProcessorConnected: true } },
    })
    expect(standIn.seen.find(({ path }) => path === '/oauth/token')?.headers.get('authorization')).toBe(
      'Bearer sk_test_platform',
    )
  })

  test('an account that cannot take charges is restricted', async () => {
    const program = await givenMerchant()
    await connect(program, unique('acct'), { charges: false })
    expect(await connectionOf(program)).toMatchObject({ status: 'restricted', chargesEnabled: false })
  })

  test('the state is valid for one session, one program and ten minutes', async () => {
    const program = await givenMerchant()
    const state = (await begin(program)).searchParams.get('state') ?? ''
    const other = await givenUser(service)
    await givenRole(service, program.workspaceId, other, 'owner')
    standIn.grant('code-1', unique('acct'))
    const refused = async (user: { cookie: string }, given: string) => {
      const answer = await returnFromStripe(user, { state: given, code: 'code-1' })
      expect(await codeOf(answer)).toEqual({
        status: 400,
        code: 'invalid_request',
      })
    }
    await refused(other, state)
    const [words = '', signature = ''] = state.split('.')
    const [, expiresAt, nonce] = JSON.parse(Buffer.from(words, 'base64url').toString())
    const stranger = await givenMerchant()
    const forged = Buffer.from(JSON.stringify([stranger.id, expiresAt, nonce])).toString('base64url')
    await refused(program.owner, `${forged}.${signature}`)
    for (const nonsense of ['', '.', 'a.b', words]) await refused(program.owner, nonsense)
    service.clock.advance(10 * MINUTE_MS)
    await refused(program.owner, state)
    expect(await connectionOf(program)).toMatchObject({ status: 'not_connected' })
    expect((await returnFromStripe({ cookie: '' }, { state, code: 'code-1' })).status).toBe(401)
  })

  test('the callback connects nothing for a member who has lost key:manage since', async () => {
    const program = await givenMerchant()
    const state = (await begin(program)).searchParams.get('state') ?? ''
    standIn.grant('code-2', unique('acct'))
    const { workspaceId } = program
    await service.db.updateTable('members').set({ role: 'member' }).where('organizationId', '=', workspaceId).execute()
    const refused = await returnFromStripe(program.owner, { state, code: 'code-2' })
    expect(await codeOf(refused)).toEqual({ status: 403, code: 'forbidden' })
    expect(await connectionOf(program)).toMatchObject({ status: 'not_connected' })
  })

  test('the state is only valid for its purpose', () => {
    const key = Buffer.alloc(32, 7)
    const at = new Date()
    const state = makeState(key, { programId: 5, sessionId: 'a' }, at)
    expect(readState(key, { state, sessionId: 'a' }, at)).toBe(5)
    expect(readState(key, { state, sessionId: 'b' }, at)).toBeNull()
    expect(readState(Buffer.alloc(32, 8), { state, sessionId: 'a' }, at)).toBeNull()
    expect(readState(key, { state, sessionId: 'a' }, new Date(at.getTime() + 10 * MINUTE_MS))).toBeNull()
  })

  test('a used code, and a merchant who declined, connect nothing', async () => {
    const program = await givenMerchant()
    const state = (await begin(program)).searchParams.get('state') ?? ''
    const used = await returnFromStripe(program.owner, { state, code: 'never-granted' })
    expect(await codeOf(used)).toEqual({
      status: 400,
      code: 'invalid_request',
    })
    const denied = await returnFromStripe(program.owner, { state, error: 'access_denied' })
    expect(denied.headers.get('location')).toEndWith(`/programs/${program.id}/set-up?processor=denied`)
    expect(await connectionOf(program)).toMatchObject({ status: 'not_connected' })
  })

  test.each([
    401, 403, 429, 500,
  ])('an API that answers %p connects nothing, and the merchant can try again', async (status) => {
    const program = await givenMerchant()
    const state = (await begin(program)).searchParams.get('state') ?? ''
    standIn.grant('code-3', unique('acct'))
    standIn.fail(status)
    const answer = await returnFromStripe(program.owner, { state, code: 'code-3' })
    standIn.fail(null)
    expect(await codeOf(answer)).toEqual({ status: 503, code: 'unavailable' })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await connectionOf(program)).toMatchObject({ status: 'not_connected' })
    expect((await returnFromStripe(program.owner, { state, code: 'code-3' })).status).toBe(302)
  })

  test('one account serves several programs of a workspace, and never those of another', async () => {
    const [one, stranger] = [await givenMerchant(), await givenMerchant()]
    const two = await givenMerchant(one.workspaceId)
    const account = unique('acct')
    await connect(one, account)
    await connect(two, account, {}, one.owner)
    expect((await one.owner.call('GET', `${two.api}/processor`)).body.data).toMatchObject({ status: 'connected' })
    const refused = await connect(stranger, account)
    expect(await codeOf(refused)).toEqual({
      status: 409,
      code: 'conflict',
    })
    expect(await connectionOf(stranger)).toMatchObject({ status: 'not_connected' })

    expect((await deliver(paymentOf(two, account).completed())).status).toBe(200)
    expect((await deliver(paymentOf(one, account).completed())).status).toBe(200)
    expect([await salesOf(one), await salesOf(two)].map(({ length }) => length)).toEqual([1, 1])

    await one.owner.call('DELETE', `${one.api}/processor`)
    await one.owner.call('DELETE', `${two.api}/processor`)
    expect(standIn.seen.at(-1)).toMatchObject({ path: '/oauth/deauthorize' })
    expect((await connect(stranger, account)).status).toBe(302)
  })

  test('without a platform account the call says what to set, and names the alternative', async () => {
    const program = await givenPayingProgram(bare, TEN_PERCENT)
    const answer = await program.owner.call('POST', `${program.api}/processor/connect`)
    expectRefusal(answer, 409, 'conflict')
    expect(answer.body.error.message).toContain('STRIPE_SECRET_KEY, STRIPE_CLIENT_ID, STRIPE_WEBHOOK_SECRET')
    expect(answer.body.error.message).toContain('signing secret')
    const raw = JSON.stringify(stripePayment().completed())
    const signature = await signatureOf(raw, { secret: PLATFORM_SECRET, at: bare.clock.now() })
    expectRefusal(await post(bare, '/api/v1/processor/webhook', raw, signature), 400, 'invalid_signature')
  })

  test('a program connected through the platform rejects a signing secret', async () => {
    const program = await givenMerchant()
    await connect(program, unique('acct'))
    const answer = await program.owner.call('PUT', `${program.api}/processor`, { webhookSecret: 'whsec_1' })
    expectRefusal(answer, 409, 'conflict')
  })
})
