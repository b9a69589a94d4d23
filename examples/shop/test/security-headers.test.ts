import { expect, test } from 'bun:test'
import { invalidSecurityHeaders } from '../../../apps/server/test/support/invalid-headers.ts'
import { givenTributary, givenVisitor } from './given-shop.ts'

const { givenShop } = await givenTributary()

test('every response of the shop and the processor forbids framing, with headers that browsers understand', async () => {
  const { shop, processor } = await givenShop()
  const visitor = givenVisitor(shop.url)
  await visitor.signUp('ann@example.com')
  const checkout = (await visitor.visit('/checkout?plan=team')).location ?? ''
  expect(checkout).toStartWith(`${processor.url}/pay/`)
  const ofShop = ['/', '/pricing', '/sign-up', '/account', '/thanks', '/checkout', '/style.css', '/nowhere']
  const ofProcessor = ['/', '/pay/unknown', '/nowhere', '/v1/events', '/oauth/authorize']
  const urls = [...ofShop.map((path) => shop.url + path), ...ofProcessor.map((path) => processor.url + path), checkout]
  for (const url of urls) {
    const response = await fetch(url, { redirect: 'manual' })
    expect({ url, invalid: invalidSecurityHeaders(response) }).toEqual({ url, invalid: [] })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect({ url, policy }).toEqual({ url, policy: expect.stringContaining("frame-ancestors 'none'") })
  }
})
