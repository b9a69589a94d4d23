import { expect, test } from 'bun:test'
import { CURRENCIES, fromDecimal, minorDigits, toDecimal } from '@tributary/contract/currencies'
import { expectRefusal, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()

/** From ISO 4217, List One. Every other active currency has two. */
const DIGITS: Record<number, string[]> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
}

test('every currency has the digits of ISO 4217', () => {
  for (const code of CURRENCIES) {
    const expected = Object.entries(DIGITS).find(([, codes]) => codes.includes(code))?.[0] ?? '2'
    expect([code, minorDigits(code)]).toEqual([code, Number(expected)])
  }
  expect(CURRENCIES).toEqual(expect.arrayContaining(Object.values(DIGITS).flat()))
  expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length)
})

test('an amount survives formatting and parsing in every currency', () => {
  for (const code of CURRENCIES)
    for (const amount of [0, 1, 9, 10, 999, 12_345, 10 ** 12, -1, -12_345])
      expect(fromDecimal(toDecimal(amount, code), code)).toBe(amount)
  expect(fromDecimal('12,5', 'EUR')).toBe(1_250)
  expect(fromDecimal('1.200', 'KWD')).toBe(1_200)
  for (const text of ['', ' ', '1.005', 'abc', '1e3', '1.2.3', '0x10', 'Infinity', '9999999999999999'])
    expect(fromDecimal(text, 'EUR')).toBeNull()
})

test.each([
  ['1,200', 'USD'],
  ['1.200', 'EUR'],
  ['50,000', 'JPY'],
  ['1.10', 'JPY'],
  ['1.00', 'JPY'],
  ['50.000', 'HUF'],
  ['0.0000', 'KWD'],
])('%s %s is rejected: more digits than the currency has may be a thousands separator', (text, currency) => {
  expect(fromDecimal(text, currency)).toBeNull()
})

test('files, explanations and statements use the same digits', async () => {
  const program = await givenPayingProgram(service, {
    sale: { percentBps: 10_000, duration: 'lifetime' },
    holdDays: 0,
  })
  const expected = { UYW: '123.4500', CLF: '123.4500', IQD: '1234.500', HUF: '12345.00', JPY: '1234500' }
  const explained = ['UYW 123.4500', 'CLF 123.4500', 'IQD 1,234.500', 'HUF 12,345.00', '¥1,234,500']
  for (const [index, currency] of Object.keys(expected).entries()) {
    const sale = await givenSale(program, 1_234_500, { currency })
    const { body } = await program.owner.call('GET', `${program.api}/explain?invoice_id=${sale.invoice_id}`)
    expect(JSON.stringify(body)).toContain(explained[index] as string)
  }
  const csv = await fetch(`${service.url}${program.api}/commissions?format=csv`, {
    headers: { cookie: program.owner.cookie },
  })
  const lines = await csv.text()
  for (const [currency, text] of Object.entries(expected))
    expect(lines).toMatch(new RegExp(`,${text},0[.0]*,${currency},`))
})

test.each(['XXX', 'XTS', 'XAU', 'XDR', 'DEM', 'ABC'])('%s is rejected: no amount can be in it', async (currency) => {
  const program = await givenPayingProgram(service, { holdDays: 0 })
  const sale = { customer_key: 'customer-1', amount: 100, currency, invoice_id: unique('in') }
  expectRefusal(await program.sale(sale), 400, 'invalid_currency')
})
