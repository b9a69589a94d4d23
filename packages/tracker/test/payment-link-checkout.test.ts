import { afterAll, expect, test } from 'bun:test'
import { givenProcessor } from '../../../apps/server/test/processor/given-processor.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { startProcessor } from '../../../examples/processor/src/index.ts'
import { givenSite } from './support/site.ts'
import { givenVisitor, startBrowser } from './support/visitors.ts'

const service = await givenService()
await startBrowser()

/** A program that sells by Payment Link only: its website has the script and the link, and no server. */
const givenPaymentLink = async () => {
  const program = await givenProcessor(service)
  const processor = startProcessor()
  afterAll(processor.stop)
  processor.addEndpoint({ url: service.url + program.path, secret: program.secret })
  const successUrl = `${processor.url}/`
  const buy = processor.addPaymentLink({ mode: 'subscription', subtotalCents: 4_900, successUrl })
  const head = `<a id="buy" href="${buy}">Buy</a>`
  const site = givenSite(service, program, { head, attributes: 'data-payment-hosts="localhost"' })
  const visitor = await givenVisitor()
  return {
    program,
    processor,
    visitor,
    page: (path: string) => site.page(path),
    buy: async () => {
      await visitor.page.click('#buy')
      await visitor.page.waitForURL(/\/pay\//)
      await visitor.page.click('button.main')
      await visitor.page.waitForURL(successUrl)
      await processor.settled()
      const subscription = [...processor.store.payments.values()].at(-1)?.ids.subscription
      return subscription ?? ''
    },
    renew: async (subscription: string) => {
      processor.renew(subscription)
      await processor.settled()
    },
    sales: async () => (await program.sales()).filter(({ voidedAt }) => voidedAt === null),
  }
}

test('a Payment Link that is clicked after a referral credits the partner, and so do its renewals', async () => {
  const { program, visitor, page, buy, renew, sales } = await givenPaymentLink()
  const clickId = await visitor.visit(page(`/?aff=${program.link.aff}`))
  expect(clickId).not.toBeNull()
  const subscription = await buy()
  const { partnerId } = program.link
  expect(await sales()).toMatchObject([{ partnerId, clickId, amountCents: 4_900 }])
  await renew(subscription)
  await renew(subscription)
  expect(await sales()).toMatchObject([
    { partnerId, clickId },
    { partnerId, clickId },
    { partnerId, clickId },
  ])
  expect(await program.commissions()).toHaveLength(3)
  await visitor.leaveForGood()
})

test('without a referral it credits no one', async () => {
  const { visitor, page, buy, renew, sales } = await givenPaymentLink()
  await visitor.visit(page('/'))
  await renew(await buy())
  expect(await sales()).toEqual([])
  await visitor.leaveForGood()
})
