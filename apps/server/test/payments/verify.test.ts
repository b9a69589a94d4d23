import { describe, expect, test } from 'bun:test'
import { SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { givenLedger, givenPayments, paid } from './given-payments.ts'

const ledger = await givenLedger({ tampers: true })

/** A payment of two sales that were merged, corrected and refunded, in a program that verifies. */
const givenBooks = async () => {
  const shop = await givenPayments(ledger)
  const attribution = await shop.attribution()
  await shop.report(['pi_1'], paid(11_900), { attribution })
  await shop.report(['in_1'], paid(11_900, { netCents: 10_000, source: 'invoice' }), { attribution })
  await shop.report(['in_1', 'pi_1'], SAME_PAYMENT)
  await shop.report(['pi_1'], { kind: 'refunded_in_all', grossCents: 5_950, currency: 'USD' })
  await shop.seal()
  expect((await shop.verify()).differences).toEqual([])
  return shop
}

describe('ledger:verify names tampering with', () => {
  test.each([
    [
      'the amount of a corrected sale',
      'UPDATE sales SET amount_cents = 9000 WHERE voided_at IS NULL',
      /has amount 10000/,
    ],
    [
      'a voided sale that counts again',
      'UPDATE sales SET voided_at = NULL, merged_into = NULL',
      /counted \d+, expected|should have/,
    ],
    ['the amount of a corrected commission', 'UPDATE commissions SET amount_cents = 990', /should be 1000 USD/],
    ['the processor’s refunds', 'UPDATE processor_refunds SET refunded_cents = 0', /has 5000 refunded/],
    [
      'a deleted report',
      "DELETE FROM payment_reports WHERE report->'says'->>'kind' = 'refunded_in_all'",
      /has 0 refunded/,
    ],
    [
      'the day of a corrected line',
      "UPDATE ledger_lines SET available_at = available_at + interval '1 day'",
      /another partner, currency or date/,
    ],
  ])('%s', async (_, statement, difference) => {
    const shop = await givenBooks()
    const where = statement.includes('WHERE') ? 'AND' : 'WHERE'
    await ledger.pool.query(`${statement} ${where} program_id = ${shop.programId}`)
    expect((await shop.verify()).differences.join('\n')).toMatch(difference)
  })

  test('a payment that has two sales', async () => {
    const shop = await givenPayments(ledger)
    const customer = await shop.customer()
    for (const name of ['in_1', 'pi_1']) await shop.sale(customer, 10_000, name)
    await ledger.pool.query(
      `WITH payment AS (INSERT INTO payments (program_id) VALUES ($1) RETURNING id)
      UPDATE payment_references SET payment_id = payment.id FROM payment WHERE program_id = $1`,
      [shop.programId],
    )
    expect((await shop.verify()).differences.join('\n')).toMatch(/has 2 sales/)
  })

  test('a payment that names a customer but has no sale', async () => {
    const shop = await givenBooks()
    await ledger.pool.query("UPDATE payment_references SET reference = reference || '?' WHERE program_id = $1", [
      shop.programId,
    ])
    expect((await shop.verify()).differences.join('\n')).toMatch(/names a customer but has no sale/)
  })
})
