import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenExplained } from '../../server/test/explain/given-explained.ts'
import { givenClick, givenLink, unique } from '../../server/test/support/given.ts'
import { givenDraft, givenPayingProgram, givenPayoutDetails, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { go, row } from './support/money.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** Maya has earned $10.00 and Ben $20.00. */
const givenTwoPartners = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const other = await givenLink(service, program.id)
  const rename = (id: number, name: string) =>
    program.owner.call('PATCH', `${program.api}/partners/${id}`, { name, code: unique('code') })
  await rename(program.link.partnerId, 'Maya Lindqvist')
  await rename(other.partnerId, 'Ben Okafor')
  await givenSale(program, 10_000)
  const sellBy = (link: typeof other, amount: number) => {
    const customer = async () => {
      const customer_key = unique('customer')
      await program.lead({ customer_key, click_id: await givenClick(service, link) })
      return customer_key
    }
    return givenSale({ ...program, customer }, amount)
  }
  await sellBy(other, 20_000)
  return { ...program, other, sellBy, account: { email: program.owner.email } }
}

test('a schedule prepares a draft, which a member confirms for some partners, with a note', async () => {
  const program = await givenTwoPartners()
  const dialog = (page: Page) => page.getByRole('alertdialog')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Payouts')
    await press(page, 'Schedule')
    await page.getByLabel('Prepare a draft').selectOption('Monthly')
    await page.getByLabel('Day of the month').selectOption('1st')
    await page.getByText(/^Monthly on the 1st, at midnight in UTC/).waitFor()
    await expectAccessibleAgain(page)
    await press(page, 'Save schedule')
    await page.getByText(/^Schedule saved\. Next draft on /).waitFor()
    await page.getByText(/· Next draft on \w{3} 1, \d{4}$/).waitFor()

    await givenDraft(service, program)
    await givenSale(program, 3_000)
    await page.reload()
    await page.getByRole('link', { name: 'Payouts, 1 draft to review' }).waitFor()
    await soon(async () => expect(await page.getByRole('button', { name: 'Create payout' }).count()).toBe(0))
    await page.getByRole('link', { name: 'Review draft' }).click()
    await untilLoaded(page, 'Payout draft')
    await row(page, 'Maya Lindqvist').getByText('$13.00').waitFor()
    await row(page, 'Maya Lindqvist')
      .getByText(/Was \$10.00 when the draft was prepared/)
      .waitFor()
    await expectAccessibleAgain(page)

    await press(page, 'Confirm payout')
    await dialog(page).getByText('0 of 2 selected').waitFor()
    await dialog(page).getByLabel('Search partners').fill('maya')
    await dialog(page).getByRole('button', { name: 'Select all' }).click()
    await dialog(page).getByText('1 of 2 selected').waitFor()
    await dialog(page).getByLabel('Reference').fill('PO-2026-12')
    await dialog(page).getByLabel('Note').fill('December')
    await expectAccessibleAgain(page)
    await dialog(page).getByRole('button', { name: 'Confirm payout of $13.00' }).click()
    await page.getByRole('heading', { level: 1, name: /^Payout \d+$/ }).waitFor()
    await page.getByText(/· Reference PO-2026-12 · December$/).waitFor()
    await soon(async () => expect(await row(page, 'Ben Okafor').count()).toBe(0))

    await press(page, 'Actions for Maya Lindqvist, USD')
    await page.getByRole('menuitem', { name: 'Mark as failed' }).click()
    await dialog(page).getByLabel('Note').fill('Account closed')
    await dialog(page).getByRole('button', { name: 'Mark $13.00 as failed' }).click()
    await row(page, 'Maya Lindqvist').getByText('Account closed').waitFor()
    await press(page, 'Actions for Maya Lindqvist, USD')
    await page.getByRole('menuitem', { name: 'View history' }).click()
    const history = page.getByRole('dialog').getByRole('list', { name: 'History of Maya Lindqvist' })
    await history.getByText('“Account closed”').waitFor()
    await soon(async () => expect(await history.getByRole('listitem').count()).toBe(2))
    await expectAccessibleAgain(page)
    await page.keyboard.press('Escape')
    await go(page, 'Payouts')
    await page.getByRole('button', { name: 'Create payout' }).waitFor()
    await soon(async () => expect(await page.getByRole('link', { name: 'Review draft' }).count()).toBe(0))
  }
  await visit(service, `/programs/${program.id}/payouts`, act, { as: program.account })
})

test('a draft says that nothing in it is payable anymore after another payout', async () => {
  const program = await givenTwoPartners()
  await givenDraft(service, program)
  await program.owner.call('POST', `${program.api}/payouts`, {})
  const act = async (page: Page) => {
    await untilLoaded(page, 'Payouts')
    await page.getByText('Nothing in the scheduled payout draft is payable anymore.').waitFor()
    await page.getByRole('link', { name: 'Review draft' }).click()
    await page.getByText('Nothing in this draft is payable anymore. Discard it.').waitFor()
    await program.sellBy(await givenLink(service, program.id), 5_000)
    await page.reload()
    await page.getByRole('cell', { name: '$5.00 New since the draft was prepared.' }).waitFor()
  }
  await visit(service, `/programs/${program.id}/payouts`, act, { as: program.account })
})

test.skipIf(!isLongRun)('a draft is announced as ready only beside an amount that is ready to pay', async () => {
  const program = await givenTwoPartners()
  await givenDraft(service, program)
  const ready = (page: Page) => page.getByText('A scheduled payout draft is ready for review.')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Payouts')
    await page.getByText('None of the payments in the scheduled payout draft can be sent yet.').waitFor()
    await page.getByText('Nothing is ready to pay').waitFor()
    await soon(async () => expect(await ready(page).count()).toBe(0))
    await expectAccessibleAgain(page)
    await page.getByRole('link', { name: 'Review draft' }).click()
    await page.getByText('None of these payments can be sent yet.').waitFor()
    const { id: programId, link } = program
    await givenPayoutDetails(service, {
      programId,
      partnerId: link.partnerId,
      method: 'paypal',
      account: 'a@example.com',
    })
    await service.db
      .updateTable('partnerPayoutDetails')
      .set({ updatedAt: new Date(0) })
      .execute()
    await push(page, `/programs/${programId}/payouts`)
    await page.reload()
    await ready(page).waitFor()
    await page.getByText('To 1 partner').waitFor()
  }
  await visit(service, `/programs/${program.id}/payouts`, act, { as: program.account })
})

test.skipIf(!isLongRun)('a draft can be discarded, and the dialog says who is left out', async () => {
  const program = await givenTwoPartners()
  await givenDraft(service, program)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Payout draft')
    await expectNoSidewaysScroll(page)
    const { body } = await program.owner.call('POST', `${program.api}/payouts`, {
      partnerIds: [program.link.partnerId],
    })
    await page.reload()
    await page.getByText('1 partner ($20.00) has no payout details.').waitFor()
    await page.getByRole('link', { name: `payout ${body.data.id}` }).waitFor()
    await program.decide(body.data.id, body.data.lines[0].id, { status: 'failed' })
    await press(page, 'Discard')
    await press(page, 'Discard draft')
    await untilLoaded(page, 'Payouts')
    await page.getByText('Draft discarded. The balances stay payable.').waitFor()
    await program.owner.call('PATCH', `${program.api}/partners/${program.other.partnerId}`, { status: 'suspended' })
    await page.reload()
    await press(page, 'Create payout')
    await page.getByText('1 more partner can’t be paid yet').click()
    const leftOut = page.getByRole('listitem').filter({ hasText: 'Ben Okafor' }).filter({ hasText: '$20.00' })
    await leftOut.getByText('Suspended').last().waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessibleAgain(page)
  }
  const path = `/programs/${program.id}/payouts/draft`
  await visit(service, path, act, { as: program.account, window: PHONE })
})

test.skipIf(!isLongRun)('legal details are on the statement that merchant and partner print', async () => {
  const program = await givenTwoPartners()
  const partner = await givenPartnerAccount(service, program)
  const asMerchant = async (page: Page) => {
    await untilLoaded(page, 'Legal details')
    await page.getByText('Not entered yet').waitFor()
    await press(page, 'Add legal details')
    await page.getByLabel('Legal name').fill('Acme GmbH')
    await page.getByLabel('Address').fill('1 Example Street\nBerlin')
    await page.getByLabel('Tax ID').fill('DE123')
    await page.getByLabel('Statements are self-billing invoices').click()
    await press(page, 'Save legal details')
    await page.getByText('Legal details saved.').waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `/programs/${program.id}/settings/legal-details`, asMerchant, { as: program.account })

  const asPartner = async (page: Page) => {
    await untilLoaded(page, 'Payouts')
    await page.getByLabel('Full name').fill('Maya Lindqvist')
    await page.getByLabel('Company').fill('Lindqvist AB')
    await page.getByLabel('Address').fill('2 Example Lane\nStockholm')
    await press(page, 'Save legal details')
    await page.getByText('Legal details saved.').waitFor()
    const { id } = await program.pay()
    await page.reload()
    await page.getByRole('link', { name: `Statement of payout ${id}` }).click()
    await untilLoaded(page, 'Statement')
    await expectStatement(page)
  }
  await visit(service, `/portal/${program.id}/payouts`, asPartner, { as: partner })

  const [payout] = (await program.owner.call('GET', `${program.api}/payouts`)).body.data
  const open = async (page: Page) => {
    await untilLoaded(page, `Payout ${payout.id}`)
    await press(page, 'Actions for Maya Lindqvist, USD')
    await page.getByRole('menuitem', { name: 'View statement' }).click()
    await untilLoaded(page, 'Statement')
    await expectStatement(page)
    const invoice = page.getByText(/^Invoice .+, customer /)
    await invoice.waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await invoice.isVisible()).toBe(false)
    for (const hidden of [page.getByRole('navigation', { name: 'Main' }), page.getByRole('button', { name: 'Print' })])
      await soon(async () => expect(await hidden.filter({ visible: true }).count()).toBe(0))
    await page.emulateMedia({ media: 'screen' })
    await push(page, `/programs/${program.id}/partners/${program.link.partnerId}`)
    await untilLoaded(page, 'Maya Lindqvist')
    await page.getByText('Lindqvist AB').waitFor()
  }
  await visit(service, `/programs/${program.id}/payouts/${payout.id}`, open, { as: program.account })
})

test.skipIf(!isLongRun)(
  'a statement calls an item a part of its commission, after a refund as after a correction',
  async () => {
    const program = await givenExplained(service)
    const refunded = await givenSale(program, 5_000)
    await program.refund({ invoice_id: refunded.invoice_id, amount: 2_500 })
    const customerKey = await program.customer()
    const invoice = unique('invoice')
    await program.sold({ customer_key: customerKey, invoice_id: invoice, amount: 10_000 })
    const first = await program.pay()
    await program.decide(first.id, first.lines[0].id, { status: 'paid' })
    const paid = { kind: 'paid', grossCents: 30_000, netCents: 30_000, currency: 'USD', source: 'invoice' } as const
    const attribution = { programId: program.id, customerKey, clickId: null }
    await program.tell([invoice], { ...paid, subscriptionId: null }, attribution)
    const second = await program.pay()
    const path = ({ id, lines }: typeof first) => `/programs/${program.id}/payouts/${id}/statements/${lines[0].id}`
    const part = (page: Page, whole: string) => page.getByRole('row', { name: `Part of a commission of ${whole}` })
    const act = async (page: Page) => {
      await untilLoaded(page, 'Statement')
      await part(page, '$5.00').getByText('$2.50').waitFor()
      await part(page, '$30.00').getByText('$10.00', { exact: true }).waitFor()
      await push(page, path(second))
      await part(page, '$30.00').getByText('$20.00', { exact: true }).waitFor()
      expect(
        await page
          .getByRole('article')
          .getByText(/refund|dispute/)
          .count(),
      ).toBe(0)
    }
    await visit(service, path(first), act, { as: { email: program.owner.email } })
  },
)

const expectStatement = async (page: Page) => {
  const document = page.getByRole('article', { name: 'Self-billing invoice 1' })
  for (const text of ['Acme GmbH', 'Lindqvist AB', 'Tax ID: DE123', 'Sale', 'Total (USD)', 'Not paid yet'])
    await document.getByText(text).first().waitFor()
  await document.getByText(/^Self-billing: Acme GmbH issues this invoice on behalf of Lindqvist AB/).waitFor()
  await page.getByRole('button', { name: 'Print or save as PDF' }).waitFor()
  await expectAccessibleAgain(page)
}
