import { describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { createEvents, newPayment } from '../src/index.ts'
import { clientOf, givenListener, givenMerchant, oneTime } from './given-merchant.ts'

const givenPayment = async () => {
  const merchant = givenMerchant()
  const session = await merchant.stripe.checkout.sessions.create(oneTime())
  return { ...merchant, sessionId: session.id }
}

describe('webhooks', () => {
  test('a body changed by one byte fails the official signature check', async () => {
    const { processor, listener, sessionId } = await givenPayment()
    processor.pay(sessionId)
    await processor.settled()
    const [{ body, signature } = { body: '', signature: '' }] = listener.received
    const { secret } = listener.state
    expect(await Stripe.webhooks.constructEventAsync(body, signature, secret)).toMatchObject({ object: 'event' })
    await expect(Stripe.webhooks.constructEventAsync(body.replace('4900', '4901'), signature, secret)).rejects.toThrow(
      'signature',
    )
    await expect(Stripe.webhooks.constructEventAsync(body, signature, 'whsec_other')).rejects.toThrow('signature')
  })

  test('a failed delivery is retried with the same event', async () => {
    const { processor, listener, sessionId } = await givenPayment()
    listener.state.status = 503
    processor.pay(sessionId)
    await processor.settled()
    expect(listener.received).toHaveLength(4 * 3)
    expect(new Set(listener.received.map(({ event }) => event.id)).size).toBe(4)
    expect(processor.deliveries.every(({ attempts, status }) => attempts === 3 && status === 503)).toBe(true)
  })

  test('held events go out on release in any order, and any event can be resent', async () => {
    const { processor, listener, sessionId } = await givenPayment()
    processor.hold()
    processor.pay(sessionId)
    await processor.settled()
    expect(listener.received).toHaveLength(0)
    processor.release((sends) => sends.toReversed())
    await processor.settled()
    const ids = processor.events().map(({ id }) => id)
    expect(listener.received.map(({ event }) => event.id)).toEqual(ids.toReversed())
    processor.resend(ids[0] ?? '')
    await processor.settled()
    expect(listener.received.at(-1)?.event.id).toBe(ids[0])
  })
})

describe('GET /v1/events', () => {
  test('lists every event once, newest first, in pages', async () => {
    const { processor, stripe, sessionId } = await givenPayment()
    processor.pay(sessionId)
    const page = await stripe.events.list({ limit: 3 })
    expect(page.has_more).toBe(true)
    const ids: string[] = []
    for await (const event of stripe.events.list({ limit: 3, created: { gte: 1 } })) ids.push(event.id)
    expect(ids).toEqual(
      processor
        .events()
        .map(({ id }) => id)
        .toReversed(),
    )
    const later = Math.floor(Date.now() / 1000) + 60
    expect((await stripe.events.list({ created: { gte: later } })).data).toEqual([])
    expect((await stripe.events.list({ type: 'charge.*' })).data).toHaveLength(1)
    expect((await stripe.events.list({ limit: 1, starting_after: ids.at(-1) ?? '' })).has_more).toBe(false)
  })
})

describe('Connect', () => {
  const PLATFORM = { id: 'acct_1Platform', secretKey: 'sk_platform' }
  const MERCHANT = { id: 'acct_1Merchant', secretKey: 'sk_merchant' }
  const givenPlatform = () => {
    const merchant = givenMerchant({ accounts: [PLATFORM, MERCHANT] })
    const listener = givenListener()
    listener.state.secret = merchant.processor.addEndpoint({ url: listener.url, connect: true }).secret
    const platform = clientOf(merchant.processor.port, PLATFORM.secretKey)
    return {
      ...merchant,
      platform,
      connectListener: listener,
      ownStripe: clientOf(merchant.processor.port, MERCHANT.secretKey),
    }
  }
  const consent = async (url: string, answer: 'connect' | 'deny') => {
    const page = await (await fetch(url)).text()
    expect(page).toContain(MERCHANT.id)
    const query = new URL(url).searchParams
    const body = new URLSearchParams({
      account: MERCHANT.id,
      answer,
      redirect_uri: query.get('redirect_uri') ?? '',
      state: query.get('state') ?? '',
    })
    const response = await fetch(new URL('/oauth/authorize', url), { method: 'POST', body, redirect: 'manual' })
    return new URL(response.headers.get('location') ?? '').searchParams
  }
  const authorizeUrl = (base: string) =>
    `${base}/oauth/authorize?response_type=code&client_id=ca_standin&scope=read_write&state=s1&redirect_uri=${encodeURIComponent('https://platform.example/back')}`

  test('a merchant connects through OAuth, its events reach the platform, and it disconnects', async () => {
    const { processor, platform, ownStripe, listener, connectListener } = givenPlatform()
    processor.updateAccount({ chargesEnabled: true }, MERCHANT.id)
    await processor.settled()
    expect(connectListener.received).toHaveLength(0)

    const back = await consent(authorizeUrl(processor.url), 'connect')
    expect(back.get('state')).toBe('s1')
    const grant = { grant_type: 'authorization_code' as const, code: back.get('code') ?? '' }
    expect(await platform.oauth.token(grant)).toMatchObject({ stripe_user_id: MERCHANT.id, livemode: true })
    await expect(platform.oauth.token(grant)).rejects.toMatchObject({ type: 'StripeInvalidGrantError' })

    const session = await ownStripe.checkout.sessions.create(oneTime())
    processor.pay(session.id, 'card', MERCHANT.id)
    await processor.settled()
    expect(listener.received).toHaveLength(0)
    expect(connectListener.received.map(({ event }) => event.account)).toEqual(Array(4).fill(MERCHANT.id))
    expect((await platform.events.list({}, { stripeAccount: MERCHANT.id })).data).toHaveLength(1 + 4)
    expect((await platform.events.list()).data).toHaveLength(0)

    await platform.oauth.deauthorize({ client_id: 'ca_standin', stripe_user_id: MERCHANT.id })
    await processor.settled()
    expect(connectListener.types().at(-1)).toBe('account.application.deauthorized')
    await expect(platform.events.list({}, { stripeAccount: MERCHANT.id })).rejects.toMatchObject({ statusCode: 403 })
  })

  test('a merchant who declines returns to the platform with access_denied', async () => {
    const { processor } = givenPlatform()
    const back = await consent(authorizeUrl(processor.url), 'deny')
    expect(back.get('error')).toBe('access_denied')
    expect(back.get('state')).toBe('s1')
    expect(back.has('code')).toBe(false)
  })

  test('account.updated reports what the account can do', async () => {
    const { processor, platform } = givenPlatform()
    processor.updateAccount({ chargesEnabled: false }, PLATFORM.id)
    expect(await platform.accounts.retrieveCurrent()).toMatchObject({ charges_enabled: false, payouts_enabled: true })
    expect(processor.events(PLATFORM.id).map(({ type }) => type)).toEqual(['account.updated'])
  })

  test('a wrong key is rejected', async () => {
    const { processor } = givenPlatform()
    await expect(clientOf(processor.port, 'sk_wrong').events.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
    })
  })
})

test('createEvents is pure: the same payment gives the same events, another payment gives none of them', () => {
  const eventsNamed = (name: string) =>
    createEvents({ kind: 'checkout_completed', payment: newPayment({ name, mode: 'subscription', at: 1_790_000_000 }) })
  expect(eventsNamed('one')).toEqual(eventsNamed('one'))
  const ids = [...eventsNamed('one'), ...eventsNamed('two')].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
