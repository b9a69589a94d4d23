import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const doubleClick = (page: Page, name: string) => page.getByRole('button', { name }).last().dblclick()

/** The changes that the page sends to this path. */
const changesTo = (page: Page, path: string) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && new URL(request.url()).pathname.endsWith(path)) sent.push(request.method())
  })
  return sent
}

test('a double click submits once', async () => {
  await visit(service, '/sign-up', async (page) => {
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await doubleClick(page, 'Create account')
    // A second account would be rejected, and its error would block the next step.
    await untilLoaded(page, 'Create a program')
    const [workspaces, programs] = [changesTo(page, '/api/workspaces'), changesTo(page, '/api/programs')]
    await page.getByLabel('Workspace name').fill('Acme Inc.')
    await page.getByLabel('Website').fill('shop.example')
    await doubleClick(page, 'Create program')
    await untilLoaded(page, 'Setup')
    expect([workspaces, programs]).toEqual([['POST'], ['POST']])
  })
})

test.skipIf(!isLongRun)('a double click creates one API key', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'API keys')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await page.getByLabel('Name').fill('Production')
    await doubleClick(page, 'Create key')
    await page.getByTestId('secret').waitFor()
    const { body } = await owner.call('GET', `/api${owner.path}/api-keys`)
    expect(body.data).toHaveLength(1)
  }
  await visit(service, `${owner.path}/settings/api-keys`, act, { as: owner.account })
})
