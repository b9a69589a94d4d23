import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/lifecycle/given-service.ts'
import { startIdentityProvider } from '../../server/test/support/identity-provider.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { startSmtp } from '../../server/test/support/smtp.ts'
import { codeOf, nextCodeOf } from '../../server/test/support/two-factor.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const smtp = await startSmtp()
const { settings: oidc } = await startIdentityProvider()
const service = await startTestService({ mail: smtp.mail, oidc })

const signOut = async (page: Page) => {
  await page.context().clearCookies()
  await page.goto(`${service.url}/sign-in`)
}

const enterPassword = async (page: Page, { email, password }: { email: string; password: string }) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Sign in')
  await untilLoaded(page, 'Two-factor sign-in')
}

test('two-factor sign-in is turned on, asked for, recovered and required for payouts', async () => {
  const owner = await givenOwner(service)
  const turnOn = async (page: Page) => {
    await untilLoaded(page, 'Account settings')
    await press(page, 'Turn on')
    const dialog = page.getByRole('dialog', { name: 'Turn on two-factor sign-in' })
    await dialog.getByLabel('Password').fill(owner.account.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await soon(async () => expect(await dialog.getByTestId('secret').innerText()).toMatch(/^[A-Z2-7]{32,}$/))
    await expectAccessibleAgain(page)
    await dialog.getByLabel('Code', { exact: true }).fill(await codeOf(service, owner))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await codes.first().waitFor()
    await expectAccessibleAgain(page)
    const recoveryCodes = await codes.allInnerTexts()
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download' }).click()
    expect((await downloading).suggestedFilename()).toBe('tributary-recovery-codes.txt')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('You have 10 recovery codes left.').waitFor()
    return recoveryCodes
  }
  const act = async (page: Page) => {
    const [recoveryCode = ''] = await turnOn(page)
    await signOut(page)
    await enterPassword(page, owner.account)
    await expectAccessibleAgain(page)
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await press(page, 'Sign in')
    await page.getByRole('alert').getByText('This code is wrong or has expired.').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(await nextCodeOf(service, owner))
    await press(page, 'Sign in')
    await untilLoaded(page, 'Overview')
    await signOut(page)
    await enterPassword(page, owner.account)
    await press(page, 'Use a recovery code')
    await page.getByLabel('Recovery code').fill(recoveryCode)
    await expectAccessibleAgain(page)
    await press(page, 'Sign in')
    await untilLoaded(page, 'Overview')
    await page.goto(`${service.url}${owner.path}/settings/security`)
    await untilLoaded(page, 'Security')
    const required = page.getByRole('switch', { name: 'Require two-factor sign-in for payouts and rewards' })
    await required.click()
    await page.getByText('Two-factor sign-in is required.').waitFor()
    await page.locator('[role=switch][aria-checked=true]').waitFor()
  }
  await visit(service, '/account', act, { as: owner.account, expectedErrors: /401/ })

  // A session without a second factor is told before it tries.
  const plain = async (page: Page) => {
    await untilLoaded(page, 'Payouts')
    await page.getByText('Payouts in this workspace need two-factor sign-in.').waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `${owner.path}/payouts`, plain, { as: owner.account })
})

test.skipIf(!isLongRun)('an emailed link signs in when its button is pressed', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    // From here the browser leaves for the identity provider, and returns with a reason if it was refused.
    await page.getByRole('button', { name: 'Continue with Acme' }).waitFor()
    await page.getByRole('alert').getByText('No member or open invitation has your email address.').waitFor()
    await expectAccessibleAgain(page)
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click()
    await untilLoaded(page, 'Sign in by email')
    await page.getByLabel('Email').fill(owner.email)
    await press(page, 'Send sign-in link')
    await page.getByText('a sign-in link is on its way').waitFor()
    await until(async () => smtp.received.some(({ to }) => to === owner.email))
    const { text = '' } = smtp.received.find(({ to }) => to === owner.email) ?? {}
    const { pathname, search } = new URL(/https?:\S+/.exec(text)?.[0] ?? '')
    await page.goto(service.url + pathname + search)
    await untilLoaded(page, 'Sign in to Tributary')
    await press(page, 'Sign in')
    await untilLoaded(page, 'Overview')
    await page.context().clearCookies()
    await page.goto(service.url + pathname + search)
    await press(page, 'Sign in')
    await untilLoaded(page, 'This link has expired or is incomplete')
  }
  await visit(service, '/sign-in?problem=not_invited', act, { expectedErrors: /404/ })
})
