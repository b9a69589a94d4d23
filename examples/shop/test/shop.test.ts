import { describe, expect, test } from 'bun:test'
import { until } from '../../../apps/server/test/lifecycle/given-service.ts'
import { givenClick } from '../../../apps/server/test/support/given.ts'
import { leadsOf, salesOf } from '../../../apps/server/test/support/records.ts'
import { givenTributary, givenUnreliableService, givenVisitor } from './given-shop.ts'

const { service, givenShop } = await givenTributary()

describe('every page', () => {
  test('includes the script tag and a CSP that allows it', async () => {
    const { shop, program } = await givenShop()
    for (const path of ['/', '/pricing', '/sign-up']) {
      const response = await fetch(shop.url + path)
      const tag = `<script defer src="${service.url}/service-tracker.js" data-program-id="${program.id}"></script>`
      expect(await response.text()).toContain(tag)
      const policy = response.headers.get('content-security-policy')
      expect(policy).toContain(`script-src ${service.url};`)
      expect(policy).toContain(`connect-src ${service.url};`)
    }
  })

  test('escapes customer names', async () => {
    const { shop } = await givenShop()
    const { visit, signUp } = givenVisitor(shop.url)
    await signUp('eve@example.com', { name: '<img src=x>' })
    expect((await visit('/account')).html).toContain('Hello, &lt;img src=x&gt;')
  })
})

describe('sign-up', () => {
  test('reports a lead for a referred visitor under the customer ID', async () => {
    const { shop, program, logged } = await givenShop()
    const clickId = await givenClick(service, program.link)
    const { signUp } = givenVisitor(shop.url, { service_click_id: clickId })
    expect(await signUp('ann@example.com')).toMatchObject({ status: 303, location: '/account' })
    const leads = await leadsOf(service, program.id)
    expect(leads).toMatchObject([{ clickId, state: 'settled' }])
    const [customer] = shop.customers.all()
    const explained = await program.owner.call('GET', `${program.api}/explain?customer_key=${customer?.id}`)
    expect(explained.body.data.reason).toBe('lead_settled')
    expect(logged).toEqual([])
  })

  test('reports nothing for a visitor who was not referred', async () => {
    const { shop, program, logged } = await givenShop()
    expect((await givenVisitor(shop.url).signUp('bob@example.com')).status).toBe(303)
    expect(await leadsOf(service, program.id)).toEqual([])
    expect(logged).toEqual([])
  })

  test('works even if its report is rejected, and logs the error', async () => {
    const { shop, program, logged } = await givenShop({ apiKey: 'trk_unknown_key' })
    const clickId = await givenClick(service, program.link)
    const visitor = givenVisitor(shop.url, { service_click_id: clickId })
    expect((await visitor.signUp('cat@example.com')).status).toBe(303)
    expect((await visitor.visit('/account')).html).toContain('Hello, Ann')
    expect(logged).toHaveLength(1)
  })

  test('rejects missing or taken values and keeps the input', async () => {
    const { shop } = await givenShop()
    await givenVisitor(shop.url).signUp('dan@example.com')
    for (const form of [
      { name: '', email: 'new@example.com' },
      { name: 'Dan', email: 'nothing' },
      { name: 'Dan', email: 'DAN@example.com' },
    ]) {
      const { status, html } = await givenVisitor(shop.url).visit('/sign-up', form)
      expect(status).toBe(422)
      expect(html).toContain(`value="${form.email}"`)
    }
    expect(shop.customers.all()).toHaveLength(1)
  })
})

describe('the processor’s checkout', () => {
  const givenBuyer = async (plan: string) => {
    const given = await givenShop()
    const clickId = await givenClick(service, given.program.link)
    const visitor = givenVisitor(given.shop.url, { service_click_id: clickId })
    const { location } = await visitor.signUp('ann@example.com', { plan })
    const checkout = await visitor.visit(location ?? '')
    const customer = given.shop.customers.all()[0]
    const keys = {
      service_click_id: clickId,
      service_customer_key: customer?.id ?? '',
      program_id: String(given.program.id),
    }
    return { ...given, visitor, keys, checkoutUrl: checkout.location ?? '' }
  }
  const pay = (url: string, how: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ how }), redirect: 'manual' })

  test('sets the three keys on the session and the subscription', async () => {
    const { processor, keys, checkoutUrl } = await givenBuyer('team')
    expect(checkoutUrl).toStartWith(`${processor.url}/pay/`)
    const [payment] = processor.store.payments.values()
    expect(payment?.metadata).toEqual({ session: keys, intent: {}, subscription: keys })
    expect(payment).toMatchObject({ mode: 'subscription', subtotalCents: 4900, currency: 'usd' })
  })

  test('sets the three keys on the session and the intent of a one-time payment', async () => {
    const { processor, keys } = await givenBuyer('forever')
    const [payment] = processor.store.payments.values()
    expect(payment?.metadata).toEqual({ session: keys, intent: keys, subscription: {} })
  })

  test('shows the paid order on the thank-you page and in the account', async () => {
    const { visitor, checkoutUrl } = await givenBuyer('team')
    const back = (await pay(checkoutUrl, 'card')).headers.get('location') ?? ''
    expect((await visitor.visit(back)).html).toContain('Team is yours.')
    await visitor.visit(back)
    const { html } = await visitor.visit('/account')
    expect(html.match(/class="state">Paid/g)).toHaveLength(1)
  })

  test('shows a pending bank debit, then its result', async () => {
    const { visitor, processor, checkoutUrl } = await givenBuyer('team')
    const back = (await pay(checkoutUrl, 'bank_debit')).headers.get('location') ?? ''
    expect((await visitor.visit(back)).html).toContain('as soon as your bank confirms the payment')
    expect((await visitor.visit('/account')).html).toContain('Waiting for your bank')
    processor.settle(checkoutUrl.split('/').at(-1) ?? '', 'succeeds')
    expect((await visitor.visit('/account')).html).toContain('class="state">Paid')
  })

  test('shows no order that is unpaid, of another customer or of another plan', async () => {
    const { shop, visitor, checkoutUrl } = await givenBuyer('team')
    const session = checkoutUrl.split('/').at(-1) ?? ''
    const redirected = { status: 303, location: '/account' }
    expect(await visitor.visit(`/thanks?plan=team&session=${session}`)).toMatchObject(redirected)
    await pay(checkoutUrl, 'card')
    const other = givenVisitor(shop.url)
    await other.signUp('eve@example.com')
    expect(await other.visit(`/thanks?plan=team&session=${session}`)).toMatchObject(redirected)
    expect(await visitor.visit(`/thanks?plan=forever&session=${session}`)).toMatchObject(redirected)
    expect(shop.customers.all().flatMap(({ orders }) => orders)).toEqual([])
  })

  test('requires sign-up and keeps the chosen plan', async () => {
    const { shop } = await givenShop()
    const { visit } = givenVisitor(shop.url)
    expect((await visit('/checkout', { plan: 'solo' })).location).toBe('/sign-up?plan=solo')
    expect((await visit('/checkout', { plan: 'nothing' })).location).toBe('/pricing')
  })
})

describe('server to server', () => {
  test('a sale is credited to the partner, and a refund reverses the commission', async () => {
    const { shop, program } = await givenShop({ payments: 'server' })
    const clickId = await givenClick(service, program.link)
    const visitor = givenVisitor(shop.url, { service_click_id: clickId })
    await visitor.signUp('ann@example.com')
    expect((await visitor.visit('/checkout?plan=team')).html).toContain('Pay $49')
    const { location } = await visitor.visit('/pay', { plan: 'team' })
    expect((await visitor.visit(location ?? '')).html).toContain('Team is yours.')

    const [order] = shop.customers.all()[0]?.orders ?? []
    expect(await salesOf(service, program.id)).toMatchObject([
      { invoiceId: order?.id, amountCents: 4900, currency: 'USD' },
    ])
    expect(await program.commissions()).toMatchObject([{ amountCents: 980, reversedCents: 0 }])

    await visitor.visit('/refund', { order: order?.id ?? '' })
    await visitor.visit('/refund', { order: order?.id ?? '' })
    expect(await program.commissions()).toMatchObject([{ amountCents: 980, reversedCents: 980 }])
    expect((await visitor.visit('/account')).html).toContain('Refunded')
  })

  test('events during an outage are reported once and in order after recovery', async () => {
    const proxy = givenUnreliableService(service.url)
    const { shop, program, logged } = await givenShop({
      payments: 'server',
      tributaryUrl: proxy.url,
      retry: { budgetMs: 300, retryAfterMs: 20 },
    })
    const clickId = await givenClick(service, program.link)
    const visitor = givenVisitor(shop.url, { service_click_id: clickId })
    expect((await visitor.signUp('ann@example.com')).status).toBe(303)
    const { location } = await visitor.visit('/pay', { plan: 'team' })
    expect((await visitor.visit(location ?? '')).html).toContain('Team is yours.')
    const [order] = shop.customers.all()[0]?.orders ?? []
    await visitor.visit('/refund', { order: order?.id ?? '' })
    expect(await salesOf(service, program.id)).toEqual([])
    expect(logged.length).toBe(1)

    proxy.recover()
    await until(async () => (await program.commissions())[0]?.reversedCents === 980)
    expect(await leadsOf(service, program.id)).toMatchObject([{ clickId, state: 'settled' }])
    expect(await salesOf(service, program.id)).toMatchObject([{ invoiceId: order?.id, amountCents: 4900 }])
    expect([...new Set(proxy.paths)]).toEqual(['lead', 'sale', 'refund'].map((call) => `/api/v1/track/${call}`))
  })

  test('is disabled when the processor tracks sales', async () => {
    const { shop } = await givenShop()
    const visitor = givenVisitor(shop.url)
    await visitor.signUp('ann@example.com')
    expect((await visitor.visit('/pay', { plan: 'team' })).location).toBe('/pricing')
    expect(shop.customers.all()[0]?.orders).toEqual([])
  })
})
