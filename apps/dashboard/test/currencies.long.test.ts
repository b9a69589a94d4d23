import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { sized } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const REWARD = { sale: { percentBps: 10_000, duration: 'lifetime' }, holdDays: 0 }

/** Currencies where browsers differ from ISO 4217, and one for each number of digits: 1,234,500 minor units as displayed. */
const SHOWN = {
  AFN: '12,345.00',
  ALL: '12,345.00',
  COP: '12,345.00',
  HUF: '12,345.00',
  IDR: '12,345.00',
  IQD: '1,234.500',
  IRR: '12,345.00',
  KPW: '12,345.00',
  LAK: '12,345.00',
  LBP: '12,345.00',
  MGA: '12,345.00',
  MMK: '12,345.00',
  PKR: '12,345.00',
  RSD: '12,345.00',
  SLL: '12,345.00',
  SOS: '12,345.00',
  SYP: '12,345.00',
  UYW: '123.4500',
  YER: '12,345.00',
  CLF: '123.4500',
  USD: '12,345.00',
  JPY: '1,234,500',
  KWD: '1,234.500',
}

const numberIn = (text: string) => /[\d.,]+/.exec(text)?.[0]
const accountOf = (email: string) => ({ email })

test('amounts have the ISO 4217 digits, regardless of the browser', async () => {
  const program = await givenPayingProgram(service, REWARD)
  for (const currency of Object.keys(SHOWN)) await givenSale(program, 1_234_500, { currency, invoice_id: currency })
  const act = async (page: Page) => {
    await untilLoaded(page, 'Sales')
    const shown: Record<string, (string | undefined)[]> = {}
    for (const currency of Object.keys(SHOWN)) {
      const row = page.getByRole('row', { name: new RegExp(`\\b${currency}\\b`) }).first()
      const amounts = (await row.getByRole('cell').allInnerTexts()).filter((text) => /\d[.,]\d/.test(text))
      shown[currency] = amounts.map(numberIn)
    }
    expect(shown).toEqual(Object.fromEntries(Object.entries(SHOWN).map(([code, text]) => [code, [text, text]])))
  }
  await visit(service, `/programs/${program.id}/sales`, act, { as: accountOf(program.owner.email) })
})

const TYPED = [
  { currency: 'HUF', typed: '1234.5', minor: 123_450, again: '1234.50' },
  { currency: 'RSD', typed: '12', minor: 1_200, again: '12.00' },
  { currency: 'IQD', typed: '1.5', minor: 1_500, again: '1.500' },
  { currency: 'CLF', typed: '0.0123', minor: 123, again: '0.0123' },
  { currency: 'JPY', typed: '250', minor: 250, again: '250' },
]
test.each(
  TYPED.slice(0, sized({ short: 0, long: TYPED.length })),
)('an amount typed in $currency is saved in its minor units', async ({ currency, ...amount }) => {
  const program = await givenPayingProgram(service, REWARD, { currency })
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    await page.getByLabel('Pay for leads').click()
    await page.getByLabel('Lead reward', { exact: true }).fill(amount.typed)
    await page.getByLabel('Minimum payout').fill(amount.typed)
    await press(page, 'Save reward terms')
    await page.getByText(/^Reward terms saved:/).waitFor()
    const { data } = (await program.owner.call('GET', `${program.api}/reward`)).body
    expect(data).toMatchObject({ lead: { amountCents: amount.minor }, minimumPayoutCents: amount.minor })
    await page.reload()
    await untilLoaded(page, 'Rewards')
    await soon(async () =>
      expect(await page.getByLabel('Lead reward', { exact: true }).inputValue()).toBe(amount.again),
    )
  }
  await visit(service, `/programs/${program.id}/settings/rewards`, act, {
    as: accountOf(program.owner.email),
    // The preview of a lead reward whose amount is still empty.
    expectedErrors: /status of 400/,
  })
})

const AMBIGUOUS = [
  { currency: 'JPY', typed: '50.000', message: 'Enter a whole number, for example 1200' },
  { currency: 'HUF', typed: '50.000', message: 'at most 2 decimals, for example 1200.00' },
]
test.each(
  AMBIGUOUS.slice(0, sized({ short: 1, long: AMBIGUOUS.length })),
)('$typed typed in $currency is not saved, and the field says why', async ({ currency, ...amount }) => {
  const program = await givenPayingProgram(service, { ...REWARD, minimumPayoutCents: 700 }, { currency })
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    const field = page.getByLabel('Minimum payout')
    const validationMessage = () => field.evaluate((input) => (input as HTMLInputElement).validationMessage)
    await field.fill(amount.typed)
    await press(page, 'Save reward terms')
    expect(await validationMessage()).toContain(amount.message)
    const { data } = (await program.owner.call('GET', `${program.api}/reward`)).body
    expect(data.minimumPayoutCents).toBe(700)
    await field.fill('50000')
    expect(await validationMessage()).toBe('')
    await page.getByLabel('Customer pays per month').fill(amount.typed)
    await page.getByRole('alert').getByText(amount.message).waitFor()
  }
  await visit(service, `/programs/${program.id}/settings/rewards`, act, { as: accountOf(program.owner.email) })
})
