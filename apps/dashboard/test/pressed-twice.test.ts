import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startTestService } from '../../server/test/support/service.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()

const pressTwice = (page: Page, name: string) => page.getByRole('button', { name }).last().dblclick()

/** Every change that the page sent there. */
const changesTo = (page: Page, path: string) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && new URL(request.url()).pathname.endsWith(path)) sent.push(request.method())
  })
  return sent
}

test('a button that is pressed twice, faster than the page can grey it out, does its work once', async () => {
  await visit(service, '/sign-up', async (page) => {
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await pressTwice(page, 'Create account')
    // The second account would be refused, and its refusal would stand where the way on is.
    await untilLoaded(page, 'Name your workspace')
    const workspaces = changesTo(page, '/api/workspaces')
    await page.getByLabel('Workspace name').fill('Acme Inc.')
    await pressTwice(page, 'Continue')
    await page.getByLabel('Program name').waitFor()
    expect(workspaces).toEqual(['POST'])
  })
})

test('a key that is asked for twice in one moment is made once', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'API keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('Production')
    await pressTwice(page, 'Create key')
    await page.getByTestId('secret').waitFor()
    const { body } = await owner.call('GET', `/api${owner.path}/api-keys`)
    expect(body.data).toHaveLength(1)
  }
  await visit(service, `${owner.path}/settings/api-keys`, act, { as: owner.account })
})
