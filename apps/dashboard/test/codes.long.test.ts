import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenClick, givenLink, unique } from '../../server/test/support/given.ts'
import { givenPayingProgram } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { expectAccessible } from './support/accessible.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenCodeSeller } from './support/codes.ts'
import { givenColleague } from './support/earning.ts'
import { expectLoadingErrorFull, givenFailingTour } from './support/four-states.ts'
import { expectKeyboardReach } from './support/keyboard.ts'
import { expectCleanLayout } from './support/looks.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { choose, press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

describe('adding a code', () => {
  test('refuses a code with spaces and one that is taken, at the field', async () => {
    const { owner, addCode } = await givenCodeSeller(service)
    await addCode('SAM20')
    const act = async (page: Page) => {
      await untilLoaded(page, 'Codes')
      await press(page, 'Add code')
      const dialog = page.getByRole('dialog')
      const code = dialog.getByLabel('Code', { exact: true })
      const submit = dialog.getByRole('button', { name: 'Add code' })
      await code.fill('SAM 20')
      await submit.click()
      await dialog.getByRole('alert').getByText('without spaces').waitFor()
      await soon(async () => expect(await code.getAttribute('aria-invalid')).toBe('true'))
      await code.fill('sam20')
      await submit.click()
      await dialog.getByRole('alert').getByText('already an active code of this program').waitFor()
      expect(await dialog.getByRole('alert').count()).toBe(1)
      await expectAccessible(page)
    }
    await visit(service, `${owner.path}/links/codes`, act, {
      as: owner.account,
      expectedErrors: /status of 4(00|09)/,
    })
  })

  test('credits earlier payments that carried it, and takes the ID at a processor', async () => {
    const { owner, sell, api } = await givenCodeSeller(service)
    await sell({ promotion_code: 'POD20', invoice_id: 'EARLIER' })
    const act = async (page: Page) => {
      await untilLoaded(page, 'Codes')
      await press(page, 'Add code')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Code', { exact: true }).fill('POD20')
      await dialog.getByLabel('Credit earlier payments').click()
      await dialog.getByText('ID at your payment processor').click()
      await dialog.getByLabel('Payment processor').selectOption('stripe')
      await dialog.getByLabel('ID of the code there').fill('promo_1')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Add code' }).click()
      await page.getByText('POD20 now belongs to Maya Lindqvist. 1 earlier payment checked.').waitFor()
      await soon(async () => expect(await rowOf(page, 'POD20').innerText()).toContain('$50.00'))
    }
    await visit(service, `${owner.path}/links/codes`, act, { as: owner.account })
    const [code] = (await owner.call('GET', `${api}/codes`)).body.data
    expect(code).toMatchObject({ processor: 'stripe', externalId: 'promo_1', uses: 1 })
  })

  test('from the partner’s page needs only the code', async () => {
    const { owner, partnerId } = await givenCodeSeller(service)
    const act = async (page: Page) => {
      const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Promotion codes' }) })
      await card.getByRole('button', { name: 'Add code' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Code', { exact: true }).fill('MAYA10')
      await dialog.getByRole('button', { name: 'Add code' }).click()
      await card.getByText('MAYA10').waitFor()
      await card.getByRole('button', { name: 'Copy MAYA10' }).waitFor()
      await expectAccessible(page)
      await card.getByRole('link', { name: 'View all codes' }).click()
      await untilLoaded(page, 'Codes')
      await page.getByRole('button', { name: 'Remove filter Maya Lindqvist' }).waitFor()
    }
    await visit(service, `${owner.path}/partners/${partnerId}`, act, { as: owner.account })
  })
})

describe('a code', () => {
  test('is reassigned after saying what happens, and disabled and enabled again', async () => {
    const { owner, api, addCode, sell } = await givenCodeSeller(service)
    await owner.create(`${api}/partners`, { name: 'Ben Okafor', status: 'approved' })
    await addCode('SAM20')
    await sell({ promotion_code: 'SAM20' })
    const act = async (page: Page) => {
      await untilLoaded(page, 'Codes')
      await choose(page, 'Actions for SAM20', 'Reassign')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('stay with Maya Lindqvist, and so do the renewals').waitFor()
      await dialog.getByRole('button', { name: /^Partner: / }).click()
      await page.getByRole('option', { name: 'Ben Okafor' }).click()
      await dialog.getByText('go to Ben Okafor.').waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Reassign code' }).click()
      await page.getByText('SAM20 now belongs to Ben Okafor.').waitFor()
      await choose(page, 'Actions for SAM20', 'Disable')
      const alert = page.getByRole('alertdialog')
      await alert.getByText('Customers who already used it stay with Ben Okafor').waitFor()
      await expectAccessible(page)
      await alert.getByRole('button', { name: 'Disable code' }).click()
      await rowOf(page, 'SAM20').getByText('Disabled').waitFor()
      await choose(page, 'Actions for SAM20', 'Enable')
      await page.getByText('SAM20 enabled.').waitFor()
      await rowOf(page, 'SAM20').getByText('Active').waitFor()
    }
    await visit(service, `${owner.path}/links/codes`, act, { as: owner.account })
    const { data } = (await owner.call('GET', `${api}/sales`)).body
    expect(data[0].partnerName).toBe('Maya Lindqvist')
  })

  test('is found by search, filters, the command palette and the sales filter', async () => {
    const { owner, addCode, sell } = await givenCodeSeller(service)
    await addCode('SAM20')
    await addCode('OTHER')
    await sell({ promotion_code: 'SAM20', invoice_id: 'BY-CODE' })
    await sell({ invoice_id: 'BY-NOTHING' })
    const act = async (page: Page) => {
      await untilLoaded(page, 'Sales')
      await press(page, 'Filters')
      await page.getByLabel('Credited by').selectOption('code')
      await page.waitForURL(/creditedBy=code/)
      await page.getByText('1 sale').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('cell', { name: /Code SAM20/ }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('sam2')
      await page.getByRole('option', { name: /SAM20/ }).click()
      await untilLoaded(page, 'Codes')
      await page.getByText('1 code').waitFor()
      await page.getByRole('button', { name: 'Disabled' }).click()
      await page.getByText('No codes found').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByText('2 codes').waitFor()
      const file = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export CSV' }).click()
      expect((await file).suggestedFilename()).toBe('codes.csv')
    }
    await visit(service, `${owner.path}/sales`, act, { as: owner.account })
  })

  test('shows how far crediting earlier payments got', async () => {
    const { owner, addCode } = await givenCodeSeller(service)
    const { id } = await addCode('SAM20', { applyToEarlier: true })
    const setProgress = (done: number, finished: string | null) =>
      service.pool.query('UPDATE code_backfills SET total = 3200, done = $2, finished_at = $3 WHERE code_id = $1', [
        id,
        done,
        finished,
      ])
    await setProgress(1_000, null)
    const act = async (page: Page) => {
      const progress = page.getByText('1,000 of 3,200 earlier payments').filter({ visible: true })
      await progress.waitFor()
      await expectAccessible(page)
      await page.setViewportSize(PHONE.viewport)
      await page.getByText('1,000 of 3,200 earlier').filter({ visible: true }).last().waitFor()
      await expectNoSidewaysScroll(page)
      await page.setViewportSize(DESKTOP.viewport)
      await progress.waitFor()
      await setProgress(3_200, '2026-01-01')
      await progress.waitFor({ state: 'detached' })
    }
    await visit(service, `${owner.path}/links/codes`, act, { as: owner.account })
  })

  test('can be seen but not changed by a viewer', async () => {
    const { owner, addCode, partnerId } = await givenCodeSeller(service)
    await addCode('SAM20')
    const act = async (page: Page) => {
      await rowOf(page, 'SAM20').waitFor()
      for (const name of ['Add code', 'Actions for']) expect(await page.getByRole('button', { name }).count()).toBe(0)
      await page.goto(`${service.url}${owner.path}/partners/${partnerId}`)
      await page.getByText('SAM20').waitFor()
      expect(await page.getByRole('button', { name: 'Add code' }).count()).toBe(0)
    }
    await visit(service, `${owner.path}/links/codes`, act, { as: await givenColleague(service, owner, 'viewer') })
  })

  test('is added by a member, without earlier payments, which pay commissions', async () => {
    const { owner } = await givenCodeSeller(service)
    const act = async (page: Page) => {
      await press(page, 'Add code')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Code', { exact: true }).fill('SAM20')
      expect(await dialog.getByLabel('Credit earlier payments').count()).toBe(0)
      await dialog.getByRole('button', { name: 'Add code' }).click()
      await press(page, 'Actions for SAM20')
      await page.getByRole('menuitem', { name: 'Disable' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Credit earlier payments' }).count()).toBe(0)
    }
    await visit(service, `${owner.path}/links/codes`, act, { as: await givenColleague(service, owner, 'member') })
  })
})

describe.each(['light', 'dark'] as const)('codes on a phone (%s)', (colorScheme) => {
  test('pass axe, do not scroll sideways, and are reached with the keyboard', async () => {
    const { owner, addCode, sell } = await givenCodeSeller(service)
    await addCode('SAM20')
    await addCode('A-LONG-CODE-OF-A-CAMPAIGN-THAT-NOBODY-CAN-REMEMBER-IN-2026-OR-27')
    await sell({ promotion_code: 'SAM20' })
    const act = async (page: Page) => {
      await page.getByText('SAM20').filter({ visible: true }).first().waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await expectKeyboardReach(page)
      await press(page, 'Add code')
      await page.getByRole('dialog').waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    const window = { ...PHONE, viewport: { width: 390, height: 844 }, colorScheme }
    await visit(service, `${owner.path}/links/codes`, act, { as: owner.account, window })
  })
})

test('a sale shows both candidates, and why the code lost to the click', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' } })
  const rival = await givenLink(service, program.id)
  await service.db.updateTable('partners').set({ name: 'Sam Codes' }).where('id', '=', rival.partnerId).execute()
  const added = await program.owner.call('POST', `${program.api}/codes`, { code: 'SAM20', partnerId: rival.partnerId })
  expect(added.status).toBe(201)
  const click_id = await givenClick(service, program.link)
  const sell = async (click: string) => {
    const body = { click_id: click, customer_key: unique('customer'), amount: 5_000, promotion_code: 'SAM20' }
    return (await program.sale({ ...body, invoice_id: unique('invoice') })).body.sale_id
  }
  const byLink = await sell(click_id)
  expect((await program.owner.call('PATCH', program.api, { codePrecedence: 'code' })).status).toBe(200)
  service.clock.advance(1_000)
  const byCode = await sell(await givenClick(service, program.link))
  const path = `/programs/${program.id}/sales`
  const act = async (page: Page) => {
    await page.getByText(/a click within the attribution window wins over a code in this program/).waitFor()
    await page.getByText('The click that won credit.').waitFor()
    await page.getByText('Link before code').waitFor()
    await expectAccessible(page)
    await page.goto(`${service.url}${path}/${byCode}`)
    await page.getByText(/a promotion code wins over a click in this program/).waitFor()
    await page.getByText('A promotion code won credit. Why the clicks did not.').waitFor()
    await page.getByText('Code before link').waitFor()
    await expectAccessible(page)
    await page.setViewportSize(PHONE.viewport)
    await expectNoSidewaysScroll(page)
  }
  await visit(service, `${path}/${byLink}`, act, { as: { email: program.owner.email } })
})

describe('a partner in the portal', () => {
  const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
  const givenPartner = async (settings: object) => {
    const program = await givenPayingProgram(service, REWARD)
    expect((await program.owner.call('PATCH', program.api, settings)).status).toBe(200)
    return { program, as: await givenPartnerAccount(service, program) }
  }

  test('asks for a code, which counts once it is approved', async () => {
    const { program, as } = await givenPartner({ partnersRequestCodes: true })
    const asPartner = async (page: Page) => {
      await page.getByText('you get credit without a click on a link').waitFor()
      await press(page, 'Ask for a code')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Code', { exact: true }).fill('MAYA 20')
      await dialog.getByRole('button', { name: 'Ask for code' }).click()
      await dialog.getByRole('alert').getByText('without spaces').waitFor()
      await dialog.getByLabel('Code', { exact: true }).fill('MAYA20')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Ask for code' }).click()
      await rowOf(page, 'MAYA20').getByText('Requested').waitFor()
      await expectAccessible(page)
    }
    const path = `/portal/${program.id}/links`
    await visit(service, path, asPartner, { as, expectedErrors: /status of 400/ })
    const asOwner = async (page: Page) => {
      await choose(page, 'Actions for MAYA20', 'Approve request')
      await rowOf(page, 'MAYA20').getByText('Active').waitFor()
    }
    await visit(
      service,
      `/programs/${program.id}/links/codes?state=requested`,
      async (page) => {
        await rowOf(page, 'MAYA20').waitFor()
      },
      { as: { email: program.owner.email } },
    )
    await visit(service, `/programs/${program.id}/links/codes`, asOwner, { as: { email: program.owner.email } })
    const sale = { customer_key: unique('customer'), invoice_id: unique('invoice'), amount: 5_000 }
    expect((await program.sale({ ...sale, promotion_code: 'maya20' })).body.credited_by).toBe('code')
    const again = async (page: Page) => {
      await soon(async () => expect(await rowOf(page, 'MAYA20').innerText()).toMatch(/Active[\s\S]+1[\s\S]+\$5\.00/))
      await page.getByRole('button', { name: 'Copy MAYA20' }).filter({ visible: true }).waitFor()
      await expectCleanLayout(page)
    }
    await visit(service, path, again, { as })
  })

  test('sees no codes if there are none and the program gives them itself', async () => {
    const { program, as } = await givenPartner({ partnersRequestCodes: false })
    const act = async (page: Page) => {
      await untilLoaded(page, 'Links')
      await page.waitForLoadState('networkidle')
      expect(await page.getByText('Promotion codes').count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Ask for a code' }).count()).toBe(0)
    }
    await visit(service, `/portal/${program.id}/links`, act, { as })
  })

  test('sees the card’s skeleton, its error and its content', async () => {
    const { program, as } = await givenPartner({ partnersRequestCodes: true })
    const screen = { route: '/portal/$programId/links', title: 'Links', api: /\/codes\?/, within: 'Promotion codes' }
    const look = async (page: Page) => {
      await page.getByRole('heading', { name: 'No codes yet' }).waitFor()
      await expectCleanLayout(page, DESKTOP)
    }
    await expectLoadingErrorFull(givenFailingTour(service, as), screen, { names: { programId: program.id }, look })
  })
})

test('the tracking settings have the precedence and whether partners ask', async () => {
  const { owner, api } = await givenCodeSeller(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Tracking')
    await page.getByLabel('If a link and a code compete').selectOption('code')
    await page.getByLabel('Partners can request codes').click()
    await press(page, 'Save settings')
    await page.getByText('Settings saved.').waitFor()
    await expectAccessible(page)
    await page.goto(`${service.url}${owner.path}/settings/audit-log`)
    await press(page, 'Program changed')
    await page.getByText('The code is credited').waitFor()
  }
  await visit(service, `${owner.path}/settings/tracking`, act, { as: owner.account })
  const { data } = (await owner.call('GET', api)).body
  expect([data.codePrecedence, data.partnersRequestCodes]).toEqual(['code', true])
})
