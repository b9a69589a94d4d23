import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { followGuide } from './support/guide-steps.ts'
import { givenFreshService } from './support/service.ts'
import { visit } from './support/visit.ts'

const service = await givenFreshService()

const invite = async (page: Page) => {
  const partners = await page.request.get(`${service.url}/api/programs/1/partners`)
  const [{ id }] = (await partners.json()).data
  const headers = { origin: service.url }
  const response = await page.request.post(`${service.url}/api/programs/1/partners/${id}/invite`, {
    data: { email: 'maya@example.com' },
    headers,
  })
  return new URL((await response.json()).data.url).pathname
}

/** More than fifty steps, one after the other. */
const GUIDES_MS = 300_000

const followBoth = async () => {
  let invitation = ''
  const asOwner = async (page: Page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    expect(await followGuide(page, 'run-your-program.md')).toBeGreaterThan(40)
    // The invitation of the guide shows its link only once.
    invitation = await invite(page)
  }
  await visit(service, '/', asOwner)
  const asPartner = async (page: Page) => {
    expect(await followGuide(page, 'for-partners.md')).toBeGreaterThan(12)
  }
  await visit(service, invitation, asPartner)
}

test('a new owner and their first partner follow the guides', followBoth, GUIDES_MS)
