import { describe, expect, test } from 'bun:test'
import { givenMerchant, monthly, oneTime } from './given-merchant.ts'

const press = (url: string, body: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })

describe('the hosted checkout', () => {
  test('pays with one click and redirects back with the session ID', async () => {
    const { stripe, listener } = givenMerchant()
    const session = await stripe.checkout.sessions.create(oneTime())
    const page = await (await fetch(session.url ?? '')).text()
    expect(page).toContain('Lamp')
    expect(page).toContain('$49.00')
    const back = await press(session.url ?? '', { how: 'card' })
    expect(back.headers.get('location')).toBe(`https://shop.example/thanks?session=${session.id}`)
    expect(listener.types()).toContain('checkout.session.completed')
    expect(await (await press(session.url ?? '', { how: 'card' })).text()).toContain('closed')
    expect(listener.types().filter((type) => type === 'checkout.session.completed')).toHaveLength(1)
  })

  test.each([
    ['huf', '12,345.00'],
    ['iqd', '1,234.500'],
    ['jpy', '1,234,500'],
    ['uyw', '123.4500'],
  ])('formats %s with its ISO 4217 digits', async (currency, shown) => {
    const { stripe } = givenMerchant()
    const order = oneTime(1_234_500)
    const [item] = order.line_items ?? []
    if (item?.price_data) item.price_data.currency = currency
    const session = await stripe.checkout.sessions.create(order)
    expect(await (await fetch(session.url ?? '')).text()).toMatch(new RegExp(`[^\\d.,]${shown}[^\\d.,]`))
  })

  test('redirects a customer who cancels and creates no events', async () => {
    const { stripe, processor } = givenMerchant()
    const session = await stripe.checkout.sessions.create(oneTime())
    const back = await press(session.url ?? '', { how: 'cancel' })
    expect(back.headers.get('location')).toBe('https://shop.example/pricing')
    expect(processor.events()).toEqual([])
  })

  test('escapes product names', async () => {
    const { stripe } = givenMerchant()
    const hostile = oneTime()
    const [item] = hostile.line_items ?? []
    if (item?.price_data?.product_data) item.price_data.product_data.name = '<script>alert(1)</script>'
    const session = await stripe.checkout.sessions.create(hostile)
    expect(await (await fetch(session.url ?? '')).text()).not.toContain('<script>alert')
  })
})

test('the control page lists, refunds, renews and disputes payments', async () => {
  const { stripe, processor, listener } = givenMerchant()
  expect(await (await fetch(processor.url)).text()).toContain('No payments yet')
  const session = await stripe.checkout.sessions.create(monthly())
  const { ids } = processor.pay(session.id)
  const page = await (await fetch(processor.url)).text()
  for (const label of ['Refund half', 'Refund remaining', 'Renew', 'Open dispute'])
    expect(page).toContain(`${label}</button>`)

  await press(`${processor.url}/control/refund`, { id: session.id, value: '1200' })
  await press(`${processor.url}/control/renew`, { id: ids.subscription ?? '' })
  await press(`${processor.url}/control/dispute`, { id: session.id })
  const dispute = [...processor.store.disputes.keys()][0] ?? ''
  await press(`${processor.url}/control/close-dispute`, { id: dispute, value: 'won' })
  expect(listener.types()).toEqual(
    expect.arrayContaining(['charge.refunded', 'charge.dispute.created', 'charge.dispute.closed']),
  )
  expect(listener.types().filter((type) => type === 'invoice.paid')).toHaveLength(2)
  const tooMuch = await press(`${processor.url}/control/refund`, { id: session.id, value: '999999' })
  expect(decodeURIComponent(tooMuch.headers.get('location') ?? '')).toContain('greater than unrefunded')
})
