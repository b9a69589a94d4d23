import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser, givenWorkspace } from '../../server/test/support/given.ts'
import { givenRole } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun, sized } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService({ openSignup: false })
const owner = await givenUser(service)
const workspaceId = await givenWorkspace(owner)

const as = async (role: string) => {
  const user = await givenUser(service)
  await givenRole(service, workspaceId, user, role)
  return { email: user.email }
}

test.skipIf(!isLongRun)('with sign-up closed, a viewer sees who to ask instead of a form', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Ask an owner or admin')
    await page.getByText('Only an owner or admin can create a workspace').waitFor()
    await soon(async () => expect(await page.getByLabel('Workspace name').count()).toBe(0))
    await expectAccessibleAgain(page)
  }
  await visit(service, '/welcome', act, { as: await as('viewer') })
})

test('with sign-up closed, only owners and admins can create a workspace', async () => {
  const { id } = (await owner.call('POST', '/api/programs', { name: 'Shop', workspaceId })).body.data
  const offers = [
    ['admin', 1],
    ['member', 0],
  ] as const
  for (const [role, offered] of sized({ short: offers.slice(1), long: [...offers] })) {
    const act = async (page: Page) => {
      await press(page, /Switch program or workspace/)
      await page.getByRole('menuitem', { name: 'Shop' }).waitFor()
      await soon(async () => expect(await page.getByRole('menuitem', { name: 'New workspace' }).count()).toBe(offered))
    }
    await visit(service, `/programs/${id}`, act, { as: await as(role) })
  }
})
