import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenSelling } from './support/earning.ts'
import { givenOwner } from './support/owner.ts'
import { expectNoSidewaysScroll, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

/** The longest names the service accepts, without a space to wrap at. */
const givenLongNames = async () => {
  const owner = await givenOwner(service)
  const { partnerId, sell } = await givenSelling(service, owner)
  const email = `${'maximiliana-'.repeat(5)}x@${'customers-'.repeat(12)}x.example`
  await sell(4_900, { email }, 'INVOICE'.repeat(36))
  const api = `/api${owner.path}`
  const partner = { name: 'Wolfeschlegel'.repeat(9), email }
  expect((await owner.call('PATCH', `${api}/partners/${partnerId}`, partner)).status).toBe(200)
  await owner.create(`${api}/links`, { partnerId, aff: 'wolfeschlegel'.repeat(9) })
  await owner.call('PUT', `${api}/partners/${partnerId}/reward`, { lead: { amountCents: 100 } })
  const [{ id: saleId }] = (await owner.call('GET', `${api}/sales`)).body.data
  const [{ id: customerId }] = (await owner.call('GET', `${api}/customers`)).body.data
  const places = `partners partners/${partnerId} links sales/customers sales/customers/${customerId} sales sales/${saleId}`
  return { owner, places: `${places} commissions payouts sales/events settings/audit-log`.split(' ') }
}
const { owner, places } = await givenLongNames()

for (const [name, window] of [
  ['desktop', { viewport: { width: 1280, height: 800 } }],
  ['phone', PHONE],
] as const)
  test(`the longest names leave no page wider than a ${name}`, async () => {
    const act = async (page: Page) => {
      const tooWide: unknown[] = []
      for (const place of places) {
        await page.goto(`${service.url}${owner.path}/${place}`)
        await page.locator('h1').first().waitFor()
        await page.waitForFunction(() => document.querySelector('main [role=status]') === null)
        await expectNoSidewaysScroll(page).catch(() => tooWide.push(place))
      }
      expect(tooWide).toEqual([])
    }
    await visit(service, `${owner.path}/partners`, act, { as: owner.account, window })
  })
