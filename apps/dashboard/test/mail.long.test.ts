import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/lifecycle/given-service.ts'
import { givenUser } from '../../server/test/support/given.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun, sized } from '../../server/test/support/size.ts'
import { startSmtp } from '../../server/test/support/smtp.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail })

const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

const linkSentTo = async (email: string) => {
  const message = () => smtp.received.find(({ to }) => to === email)
  await until(async () => message() !== undefined, 5_000)
  const { pathname, search } = new URL(/https?:\S+/.exec(message()?.text ?? '')?.[0] ?? '')
  return pathname + search
}

describe('a forgotten password', () => {
  test('is reset by email, and the link works once', async () => {
    const { email } = await givenUser(service)
    let link = ''
    await visit(service, '/sign-in', async (page) => {
      await title(page, 'Sign in')
      await expectAccessibleAgain(page)
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await title(page, 'Reset your password')
      await fill(page, 'Email', email)
      await press(page, 'Send reset link', { exact: true })
      await page.getByText(`If an account with ${email} exists, a reset link is on its way.`).waitFor()
      await expectAccessibleAgain(page)
      link = await linkSentTo(email)
      await page.goto(service.url + link)
      await title(page, 'Choose a new password')
      await fill(page, 'New password', 'another long password')
      await press(page, 'Change password', { exact: true })
      await title(page, 'Sign in')
      await page.getByText('Password changed').waitFor()
      await fill(page, 'Email', email)
      await fill(page, 'Password', 'another long password')
      await press(page, 'Sign in', { exact: true })
      await title(page, 'Create a program')
    })
    const again = async (page: Page) => {
      await fill(page, 'New password', 'a third long password')
      await press(page, 'Change password', { exact: true })
      await title(page, 'This link has expired or is incomplete')
      await expectAccessibleAgain(page)
      await page.getByRole('link', { name: 'Request a new link' }).click()
      await title(page, 'Reset your password')
    }
    await visit(service, link, again, { expectedErrors: /status of 404/ })
  })

  test.skipIf(!isLongRun)('of an unknown address gets the same message', async () => {
    await visit(service, '/forgot-password', async (page) => {
      await fill(page, 'Email', 'unknown@example.com')
      await press(page, 'Send reset link', { exact: true })
      await page.getByText('If an account with unknown@example.com exists, a reset link').waitFor()
    })
    expect(smtp.received.filter(({ to }) => to === 'unknown@example.com')).toEqual([])
  })

  test.skipIf(!isLongRun)('is not offered without a mail server', async () => {
    const without = await startTestService()
    await visit(without, '/sign-in', async (page) => {
      await title(page, 'Sign in')
      await soon(async () => expect(await page.getByRole('link', { name: 'Forgot password?' }).count()).toBe(0))
    })
  })
})

describe('an invitation', () => {
  const invite = async (page: Page) => {
    await untilLoaded(page, 'Team')
    await press(page, 'Invite member', { exact: true })
    await fill(page, 'Email', 'sam@example.com')
    await press(page, 'Create invitation', { exact: true })
    await soon(async () => expect(await page.getByTestId('invitation').innerText()).toContain('/invite/'))
  }

  const startRefusing = async () => startTestService({ mail: (await startSmtp({ toRecipient: '550 no' })).mail })
  const OUTCOMES = [
    ['was emailed', async () => service, 'This link was emailed to sam@example.com.'],
    ['could not be sent', startRefusing, 'The email could not be sent. Copy the link and send it yourself.'],
    ['is a link to copy without a mail server', () => startTestService(), 'Send this link to sam@example.com.'],
  ] as const

  test.each(
    OUTCOMES.slice(0, sized({ short: 1, long: OUTCOMES.length })),
  )('says that it %s', async (_, start, text) => {
    const on = await start()
    const owner = await givenOwner(on)
    const act = async (page: Page) => {
      await invite(page)
      await page.getByText(text).waitFor()
      await expectAccessibleAgain(page)
      const failed = await page.getByText('could not be sent').count()
      expect(failed).toBe(start === startRefusing ? 1 : 0)
    }
    await visit(on, `${owner.path}/settings/team`, act, { as: owner.account })
  })
})

describe('a new email address', () => {
  test('is approved at the current address and confirmed at the new one', async () => {
    const owner = await givenOwner(service)
    const email = `new-${owner.account.email}`
    await visit(
      service,
      '/account',
      async (page) => {
        await title(page, 'Account settings')
        await press(page, 'Change email', { exact: true })
        await fill(page, 'New email', email)
        await fill(page, 'Password', owner.account.password)
        await press(page, 'Continue', { exact: true })
        await page.getByText(`We sent a link to ${owner.account.email}.`).waitFor()
        await expectAccessibleAgain(page)
        await page.goto(service.url + (await linkSentTo(owner.account.email)))
        await title(page, 'Approve your new email address')
        await expectAccessibleAgain(page)
        await press(page, 'Approve the change', { exact: true })
        await title(page, 'Change approved')
        await page.goto(service.url + (await linkSentTo(email)))
        await title(page, 'Confirm your new email address')
        await press(page, 'Confirm this address', { exact: true })
        await title(page, 'Email address changed')
        await page.getByText(`You now sign in with ${email}.`).waitFor()
        await page.getByRole('link', { name: 'Account settings' }).click()
        await page.getByText(email, { exact: true }).waitFor()
      },
      { as: owner.account },
    )
  })
})
