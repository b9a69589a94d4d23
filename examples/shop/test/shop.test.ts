import { describe, expect, test } from 'bun:test'
import { until } from '../../../apps/server/test/lifecycle/given-service.ts'
import { givenClick } from '../../../apps/server/test/support/given.ts'
import { leadsOf, salesOf } from '../../../apps/server/test/support/records.ts'
import { givenDoorTo, givenTributary, givenVisitor } from './given-shop.ts'

const { service, givenShop } = await givenTributary()

describe('every page', () => {
  test('carries the script tag with the shop’s program, and a policy that lets it work', async () => {
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

  test('writes what customers say as text, never as markup', async () => {
    const { shop } = await givenShop()
    const { visit, signUp } = givenVisitor(shop.url)
    await signUp('eve@example.com', { name: '<img src=x>' })
    expect((await visit('/account')).html).toContain('Hello, &lt;img src=x&gt;')
  })
})

describe('sign-up', () => {
  test('reports the lead of a visitor who came through a link, under the customer’s own ID', async () => {
    const { shop, program, complaints } = await givenShop()
    const clickId = await givenClick(service, program.link)
    const { signUp } = givenVisitor(shop.url, { service_click_id: clickId })
    expect(await signUp('ann@example.com')).toMatchObject({ status: 303, location: '/account' })
    const leads = await leadsOf(service, program.id)
    expect(leads).toMatchObject([{ clickId, state: 'settled' }])
    const [customer] = shop.customers.all()
    const explained = await program.owner.call('GET', `${program.api}/explain?customer_key=${customer?.id}`)
    expect(explained.body.data.reason).toBe('lead_settled')
    expect(complaints).toEqual([])
  })

  test('reports nothing for a visitor who came by themselves', async () => {
    const { shop, program, complaints } = await givenShop()
    expect((await givenVisitor(shop.url).signUp('bob@example.com')).status).toBe(303)
    expect(await leadsOf(service, program.id)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('works although its report is refused, and the shop’s log says so', async () => {
    const { shop, program, complaints } = await givenShop({ apiKey: 'trk_nobody_nothing' })
    const clickId = await givenClick(service, program.link)
    const visitor = givenVisitor(shop.url, { service_click_id: clickId })
    expect((await visitor.signUp('cat@example.com')).status).toBe(303)
    expect((await visitor.visit('/account')).html).toContain('Hello, Ann')
    expect(complaints).toHaveLength(1)
  })

  test('asks again for what is missing or taken, and keeps what was typed', async () => {
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

  test('carries the three keys on the session and on the subscription', async () => {
    const { processor, keys, checkoutUrl } = await givenBuyer('team')
    expect(checkoutUrl).toStartWith(`${processor.url}/pay/`)
    const [payment] = processor.books.payments.values()
    expect(payment?.metadata).toEqual({ session: keys, intent: {}, subscription: keys })
    expect(payment).toMatchObject({ mode: 'subscription', subtotalCents: 4900, currency: 'usd' })
  })

  test('carries the three keys on the session and on the payment where it is paid once', async () => {
    const { processor, keys } = await givenBuyer('forever')
    const [payment] = processor.books.payments.values()
    expect(payment?.metadata).toEqual({ session: keys, intent: keys, subscription: {} })
  })

  test('ends on a page that has asked the processor, and on the account', async () => {
    const { visitor, checkoutUrl } = await givenBuyer('team')
    const back = (await pay(checkoutUrl, 'card')).headers.get('location') ?? ''
    expect((await visitor.visit(back)).html).toContain('Team is yours.')
    await visitor.visit(back)
    const { html } = await visitor.visit('/account')
    expect(html.match(/class="state">Paid/g)).toHaveLength(1)
  })

  test('says so while the bank has not answered, and afterwards what it answered', async () => {
    const { visitor, processor, checkoutUrl } = await givenBuyer('team')
    const back = (await pay(checkoutUrl, 'bank_debit')).headers.get('location') ?? ''
    expect((await visitor.visit(back)).html).toContain('as soon as your bank has answered')
    expect((await visitor.visit('/account')).html).toContain('Waiting for your bank')
    processor.settle(checkoutUrl.split('/').at(-1) ?? '', 'succeeds')
    expect((await visitor.visit('/account')).html).toContain('class="state">Paid')
  })

  test('gives nobody an order that is not paid, not theirs, or of another plan', async () => {
    const { shop, visitor, checkoutUrl } = await givenBuyer('team')
    const session = checkoutUrl.split('/').at(-1) ?? ''
    const nothing = { status: 303, location: '/account' }
    expect(await visitor.visit(`/thanks?plan=team&session=${session}`)).toMatchObject(nothing)
    await pay(checkoutUrl, 'card')
    const other = givenVisitor(shop.url)
    await other.signUp('eve@example.com')
    expect(await other.visit(`/thanks?plan=team&session=${session}`)).toMatchObject(nothing)
    expect(await visitor.visit(`/thanks?plan=forever&session=${session}`)).toMatchObject(nothing)
    expect(shop.customers.all().flatMap(({ orders }) => orders)).toEqual([])
  })

  test('comes after sign-up, and goes on to the plan that was chosen', async () => {
    const { shop } = await givenShop()
    const { visit } = givenVisitor(shop.url)
    expect((await visit('/checkout', { plan: 'solo' })).location).toBe('/sign-up?plan=solo')
    expect((await visit('/checkout', { plan: 'nothing' })).location).toBe('/pricing')
  })
})

describe('server to server', () => {
  test('a sale is credited to the partner, and the money back takes the commission back', async () => {
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

  test('what happens while Tributary is down is reported in its order when it is back, each thing once', async () => {
    const door = givenDoorTo(service.url)
    const { shop, program, complaints } = await givenShop({
      payments: 'server',
      tributaryUrl: door.url,
      patience: { budgetMs: 300, sendAgainAfterMs: 20 },
    })
    const clickId = await givenClick(service, program.link)
    const visitor = givenVisitor(shop.url, { service_click_id: clickId })
    expect((await visitor.signUp('ann@example.com')).status).toBe(303)
    const { location } = await visitor.visit('/pay', { plan: 'team' })
    expect((await visitor.visit(location ?? '')).html).toContain('Team is yours.')
    const [order] = shop.customers.all()[0]?.orders ?? []
    await visitor.visit('/refund', { order: order?.id ?? '' })
    expect(await salesOf(service, program.id)).toEqual([])
    expect(complaints.length).toBe(1)

    door.open()
    await until(async () => (await program.commissions())[0]?.reversedCents === 980)
    expect(await leadsOf(service, program.id)).toMatchObject([{ clickId, state: 'settled' }])
    expect(await salesOf(service, program.id)).toMatchObject([{ invoiceId: order?.id, amountCents: 4900 }])
    expect([...new Set(door.paths)]).toEqual(['lead', 'sale', 'refund'].map((call) => `/api/v1/track/${call}`))
  })

  test('is switched off where the processor reports the sales, so that nothing is paid without it', async () => {
    const { shop } = await givenShop()
    const visitor = givenVisitor(shop.url)
    await visitor.signUp('ann@example.com')
    expect((await visitor.visit('/pay', { plan: 'team' })).location).toBe('/pricing')
    expect(shop.customers.all()[0]?.orders).toEqual([])
  })
})
