import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toDecimal } from '@tributary/contract'
import { payableAt, reversedCents, saleReward, type Terms } from '../../src/money/rewards/rewards.ts'
import { givenPayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'

const guide = await Bun.file(`${import.meta.dir}/../../../../docs/guides/money.md`).text()

/** The rows of every table whose first column has this title. */
const tables = (title: string) => {
  const found = [...guide.matchAll(new RegExp(`^\\| ${title} .*\\n\\|[-|]+\\|\\n((?:\\|.*\\n)+)`, 'gm'))]
  const rows = found.flatMap(([, body = '']) => body.trim().split('\n'))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** "49.00 USD" in minor units, without a float. */
const cents = (text = '') => {
  const [amount = '', currency = ''] = text.split(' ')
  const value = Number(amount.replace('.', ''))
  expect(toDecimal(value, currency)).toBe(amount)
  return { value, currency }
}

test('the guide’s commissions match the rules', () => {
  const rows = tables('sale')
  expect(rows).toHaveLength(6)
  for (const [sale, rate = '', commission] of rows) {
    const { value, currency } = cents(sale)
    const terms: Terms = {
      version: 1,
      currency,
      leadAmountCents: null,
      saleAmountCents: null,
      saleDuration: 'lifetime',
      saleMonths: null,
      holdDays: 0,
      salePercentBps: Math.round(Number.parseFloat(rate) * 100),
    }
    const reward = saleReward(terms, { amountCents: value, currency, soldAt: new Date(), firstSoldAt: null })
    expect(typeof reward === 'string' ? { amountCents: 0, currency } : reward).toEqual({
      amountCents: cents(commission).value,
      currency,
    })
  }
})

test('the guide’s hold periods match the rules', () => {
  const rows = tables('earned on')
  expect(rows).toHaveLength(3)
  for (const [earned = '', hold = '', payable = ''] of rows)
    expect(payableAt(new Date(earned), Number.parseInt(hold, 10)).toISOString().slice(0, 10)).toBe(payable)
})

test('the guide’s refunds match the rules', () => {
  const rows = tables('refunded so far')
  expect(rows).toHaveLength(7)
  for (const [refunded, sale, reversed, left] of rows) {
    const commission = cents(reversed).value + cents(left).value
    expect(reversedCents(commission, cents(refunded).value, cents(sale).value)).toBe(cents(reversed).value)
  }
})

test('the guide’s payouts respect the minimum and never pay a debt', () => {
  const rows = tables('payable before')
  expect(rows).toHaveLength(3)
  for (const [before, paid, after] of rows) {
    const due = cents(before).value
    expect(cents(paid).value).toBe(due >= 5_000 ? due : 0)
    expect(cents(before).value - cents(paid).value).toBe(cents(after).value)
  }
})

test('the guide’s commands work as written', async () => {
  const service = await startTestService()
  const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' } })
  await program.sale({ customer_key: await program.customer(), amount: 10_000, invoice_id: 'inv_2001' })
  const folder = mkdtempSync(join(tmpdir(), 'tributary-guide-'))
  const [name = '', value = ''] = program.owner.cookie.split(/=(.*)/s)
  await Bun.write(join(folder, 'cookies.txt'), `localhost\tFALSE\t/\tFALSE\t0\t${name}\t${value}\n`)
  const env = { ...process.env, BASE_URL: service.url, PROGRAM_ID: String(program.id), API_KEY: program.key }
  const blocks = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, command = '']) => command)
  expect(blocks).toHaveLength(3)
  const run = async (command: string) =>
    JSON.parse(await new Response(Bun.spawn(['sh', '-c', command], { cwd: folder, env }).stdout).text())
  const answers: unknown[] = []
  for (const command of blocks) answers.push(await run(command))
  rmSync(folder, { recursive: true })
  expect(answers).toMatchObject([
    {
      data: {
        lead: { amountCents: 200 },
        sale: { percentBps: 2_000, months: 12 },
        holdDays: 30,
        minimumPayoutCents: 5_000,
      },
    },
    { data: [{ currency: 'USD', totals: expect.any(Object) }] },
    { success: true, refunded_amount: 3_000, reversed_amount: 300 },
  ])
})
