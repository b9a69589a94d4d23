import { describe, expect, test } from 'bun:test'
import { openDatabase } from '../../src/database/connect.ts'
import { sealAll, sealProgram } from '../../src/money/ledger/seal.ts'
import { DAY_MS, givenLedger, givenMoney, type Money, TEN_PERCENT } from './given-money.ts'

const ledger = await givenLedger({ tampers: true })

const blocksOf = async ({ programId }: Money) => {
  const { rows } = await ledger.pool.query(
    'SELECT number, line_count FROM ledger_blocks WHERE program_id = $1 ORDER BY number',
    [programId],
  )
  return rows.map((row) => row.line_count as number)
}

const unsealedOf = async ({ programId }: Money) => {
  const { rows } = await ledger.pool.query(
    `SELECT count(*)::integer AS count FROM ledger_lines line WHERE program_id = $1 AND NOT EXISTS (
      SELECT FROM ledger_block_lines sealed WHERE sealed.program_id = line.program_id AND sealed.line_id = line.id)`,
    [programId],
  )
  return rows[0].count as number
}

const expectNoDifferences = async (money: Money) =>
  expect((await money.verify(new Date(money.clock.now().getTime() + 1))).differences).toEqual([])

/** A ledger line in a transaction that the test ends. */
const givenLateLine = async (money: Money) => {
  const key = await money.customer()
  const client = await ledger.pool.connect()
  await client.query('BEGIN')
  const pool = {
    connect: async () => ({
      query: (text: string, values: unknown[]) =>
        /^(begin|commit)/i.test(text) ? { rows: [], command: '' } : client.query(text, values),
      release: () => {},
    }),
  }
  await money.sale(key, 1_000, undefined, openDatabase(pool as never))
  return async () => {
    await client.query('COMMIT')
    client.release()
  }
}

describe('sealing', () => {
  test('creates a block of the open lines, and none if there are no lines', async () => {
    const money = await givenMoney(ledger)
    expect(await money.seal()).toBe(false)
    expect(await blocksOf(money)).toEqual([])
    const key = await money.customer()
    await money.sale(key, 1_000)
    await money.sale(key, 1_000)
    expect(await money.seal()).toBe(true)
    expect(await money.seal()).toBe(false)
    expect(await blocksOf(money)).toEqual([2])
    await expectNoDifferences(money)
  })

  test.each([
    ['a minute later', 60_000],
    ['after the service was down for a day', DAY_MS],
  ])('takes lines that were numbered before and committed after, in the next block: %s', async (_, later) => {
    const money = await givenMoney(ledger, TEN_PERCENT, 2)
    await money.sale(await money.customer(), 500) // the first sale opens the partner's account; later ones wait for nothing
    const commit = await givenLateLine(money)
    // Uses another link: the open transaction locks a count of the first one, and one in sixteen would wait for it.
    await money.sale(await money.customer(1), 500)
    await money.seal()
    expect(await blocksOf(money)).toEqual([2])
    await commit()
    expect(await unsealedOf(money)).toBe(1)
    money.clock.advance(later)
    await money.seal()
    expect(await blocksOf(money)).toEqual([2, 1])
    await expectNoDifferences(money)
  })

  test('concurrently seals every line once', async () => {
    const money = await givenMoney(ledger)
    const keys = await Promise.all(Array.from({ length: 8 }, () => money.customer()))
    await Promise.all(
      keys.flatMap((key, index) => [
        money.sale(key, 1_000 + index),
        money.seal(),
        money.sale(key, 2_000 + index),
        money.seal(),
      ]),
    )
    await Promise.all(Array.from({ length: 8 }, () => money.seal()))
    expect(await unsealedOf(money)).toBe(0)
    expect((await blocksOf(money)).reduce((sum, count) => sum + count, 0)).toBe(16)
    await expectNoDifferences(money)
  })

  test('during another seal still covers every line that existed when it started', async () => {
    const money = await givenMoney(ledger)
    const key = await money.customer()
    for (let round = 0; round < 20; round++) {
      await money.sale(key, 100)
      const first = money.seal()
      await money.sale(key, 100)
      await Promise.all([money.seal(), money.seal()])
      expect(await unsealedOf(money)).toBe(0)
      await first
    }
    await expectNoDifferences(money)
  })

  test('runs before every payout', async () => {
    const money = await givenMoney(ledger)
    await money.sale(await money.customer(), 1_000)
    expect(await unsealedOf(money)).toBe(1)
    await money.pay()
    expect(await blocksOf(money)).toEqual([1])
    const { rows } = await ledger.pool.query(
      `SELECT cause FROM ledger_lines line WHERE program_id = $1 AND NOT EXISTS (
        SELECT FROM ledger_block_lines sealed WHERE sealed.program_id = line.program_id AND sealed.line_id = line.id)`,
      [money.programId],
    )
    expect(rows).toEqual([{ cause: 'reserved for payout' }])
  })

  test('of everything covers every program', async () => {
    const programs = await Promise.all(Array.from({ length: 3 }, () => givenMoney(ledger)))
    for (const money of programs) await money.sale(await money.customer(), 1_000)
    expect(await sealAll(ledger.db, new Date())).toBeGreaterThanOrEqual(3)
    for (const money of programs) expect(await unsealedOf(money)).toBe(0)
    expect(await sealAll(ledger.db, new Date())).toBe(0)
  })

  test('after months finds new lines without reading the old ones', async () => {
    const money = await givenMoney(ledger)
    const key = await money.customer()
    for (let month = 0; month < 4; month++) {
      await money.sale(key, 1_000)
      await sealProgram(ledger.db, { programId: money.programId, at: money.clock.now() })
      money.clock.advance(30 * DAY_MS)
    }
    expect(await blocksOf(money)).toEqual([1, 1, 1, 1])
    await expectNoDifferences(money)
  })

  test('of more lines than a block can hold creates several', async () => {
    const money = await givenMoney(ledger)
    await money.sale(await money.customer(), 1_000)
    await ledger.pool.query(
      `INSERT INTO ledger_lines (program_id, partner_id, currency, from_account, to_account, amount_cents, available_at, cause, commission_id, created_at)
      SELECT program_id, partner_id, currency, from_account, to_account, amount_cents, available_at, cause, commission_id, created_at
      FROM ledger_lines, generate_series(1, 4999) WHERE program_id = $1`,
      [money.programId],
    )
    await money.seal()
    expect(await blocksOf(money)).toEqual([2_000, 2_000, 1_000])
    const { blocks, differences } = await money.verify()
    expect(blocks).toBe(3)
    expect(differences.filter((line) => line.includes('block'))).toEqual([])
  })
})
