import { beforeAll, describe, expect, test } from 'bun:test'
import type pg from 'pg'
import { openDatabase } from '../../src/database/connect.ts'
import { verifyProgram } from '../support/verify-program.ts'
import { givenBusyProgram } from './given-busy-program.ts'
import { givenLedger, givenMoney, type Money, onlyLine } from './given-money.ts'

const ledger = await givenLedger()

let money: Money
beforeAll(async () => {
  money = await givenBusyProgram(ledger)
})

/** Runs a statement as a superuser without foreign key checks, verifies, and rolls back. */
const afterTampering = async (statement: string, values: unknown[] = []) => {
  const client = await ledger.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query("SET LOCAL session_replication_role = 'replica'")
    await client.query("SET LOCAL timezone = 'UTC'")
    const { rowCount } = await client.query(statement, values)
    expect(rowCount).toBeGreaterThan(0)
    return await verifyOn(client)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

/** Verifies on a connection that is already in a transaction: its BEGIN and COMMIT are skipped. */
const verifyOn = async (client: pg.PoolClient) => {
  const inside = {
    query: (text: string, values: unknown[]) =>
      /^(begin|start transaction|commit|rollback)/i.test(text) ? { rows: [], command: '' } : client.query(text, values),
    release: () => {},
  }
  const pool = { connect: async () => inside, end: async () => {} } as unknown as pg.Pool
  const { programId, clock } = money
  return verifyProgram(openDatabase(pool), { programId, sealedBefore: new Date(clock.now().getTime() + 1) })
}

const linesOf = async (block: number): Promise<string[]> => {
  const { rows } = await ledger.pool.query(
    'SELECT line_id::text AS name FROM ledger_block_lines WHERE program_id = $1 AND block_number = $2 ORDER BY line_id',
    [money.programId, block],
  )
  return rows.map(({ name }) => name)
}

describe('ledger:verify', () => {
  test('finds no difference in a busy program, and has checked it', async () => {
    const { lines, blocks, differences } = await money.verify(money.clock.now())
    expect(differences).toEqual([])
    expect(lines).toBeGreaterThan(50)
    expect(blocks).toBeGreaterThan(4)
  })

  const CHANGES: Record<string, string> = {
    program_id: '2147483647',
    id: 'id + 1000000',
    partner_id: 'partner_id + 1',
    currency: "'USE'",
    from_account: "CASE from_account WHEN 'review' THEN 'paid' ELSE 'review' END",
    to_account: "CASE to_account WHEN 'review' THEN 'paid' ELSE 'review' END",
    amount_cents: 'amount_cents + 1',
    available_at: "available_at + interval '1 microsecond'",
    cause: "cause || ' '",
    commission_id: 'coalesce(commission_id, 0) + 1',
    refund_id: 'coalesce(refund_id, 0) + 1',
    payout_line_id: 'coalesce(payout_line_id, 0) + 1',
    created_at: "created_at - interval '1 microsecond'",
  }

  test('covers every column of a ledger line', async () => {
    const { rows } = await ledger.pool.query(
      "SELECT column_name FROM information_schema.columns WHERE table_name = 'ledger_lines' AND table_schema = 'public'",
    )
    expect(rows.map(({ column_name }) => column_name).toSorted()).toEqual(Object.keys(CHANGES).toSorted())
  })

  for (const [column, change] of Object.entries(CHANGES))
    test(`names the line whose ${column} was changed, by one byte`, async () => {
      const [, second = ''] = await linesOf(3)
      const { differences } = await afterTampering(
        `UPDATE ledger_lines SET ${column} = ${change} WHERE program_id = $1 AND id = $2`,
        [money.programId, second],
      )
      expect(differences[0]).toStartWith(`ledger line ${second} of block 3 was `)
    })

  test('names the first of several changed lines', async () => {
    const [first = ''] = await linesOf(2)
    const { differences } = await afterTampering(
      'UPDATE ledger_lines SET amount_cents = amount_cents + 1 WHERE program_id = $1 AND id >= $2',
      [money.programId, first],
    )
    expect(differences[0]).toBe(`ledger line ${first} of block 2 was changed after it was sealed`)
    expect(differences.length).toBeGreaterThan(1)
  })

  test('names a deleted line', async () => {
    const [, second = ''] = await linesOf(2)
    const { differences } = await afterTampering('DELETE FROM ledger_lines WHERE program_id = $1 AND id = $2', [
      money.programId,
      second,
    ])
    expect(differences[0]).toBe(`ledger line ${second} of block 2 was deleted`)
  })

  test('names the position of a line deleted with all references to it', async () => {
    const lines = await linesOf(2)
    for (const [index, message] of [
      [0, `a ledger line of block 2 was deleted, at its beginning and before line ${lines[1]}`],
      [1, `a ledger line of block 2 was deleted, after line ${lines[0]} and before line ${lines[2]}`],
      [lines.length - 1, `a ledger line of block 2 was deleted, after line ${lines.at(-2)}`],
    ] as const) {
      const { differences } = await afterTampering(
        `WITH gone AS (DELETE FROM ledger_block_lines WHERE program_id = $1 AND line_id = $2)
        DELETE FROM ledger_lines WHERE program_id = $1 AND id = $2`,
        [money.programId, lines[index]],
      )
      expect(differences[0]).toBe(message)
    }
  })

  test('names a line added to a sealed block', async () => {
    const [first = ''] = await linesOf(2)
    const { differences } = await afterTampering(
      `WITH added AS (INSERT INTO ledger_lines
        SELECT program_id, 999999, partner_id, currency, from_account, to_account, amount_cents, available_at, cause, commission_id,
          refund_id, payout_line_id, created_at FROM ledger_lines WHERE program_id = $1 AND id = $2)
      INSERT INTO ledger_block_lines (program_id, line_id, block_number, hash) VALUES ($1, 999999, 2, '\\x00')`,
      [money.programId, first],
    )
    expect(differences[0]).toStartWith('ledger line 999999 was added to block 2')
  })

  test('names a line added outside of the blocks', async () => {
    const { differences } = await afterTampering(
      `INSERT INTO ledger_lines SELECT program_id, 999999, partner_id, currency, from_account, to_account, amount_cents, available_at,
        cause, commission_id, refund_id, payout_line_id, created_at FROM ledger_lines WHERE program_id = $1 ORDER BY id LIMIT 1`,
      [money.programId],
    )
    expect(differences[0]).toStartWith('ledger line 999999, created ')
  })

  for (const [column, change] of Object.entries({
    hash: 'set_byte(hash, 31, (get_byte(hash, 31) + 1) % 256)',
    line_count: 'line_count',
    sealed_at: "sealed_at + interval '1 microsecond'",
  }))
    test(`names the block whose ${column} was changed`, async () => {
      const { differences } = await afterTampering(
        `UPDATE ledger_blocks SET ${column} = ${change === column ? `${column} - 1` : change} WHERE program_id = $1 AND number = 3`,
        [money.programId],
      )
      expect(differences[0]).toContain('block 3')
    })

  test('names the deleted block, including the first and the last one', async () => {
    const { blocks } = await money.verify()
    for (const number of [1, 3, blocks]) {
      const left = await afterTampering('DELETE FROM ledger_blocks WHERE program_id = $1 AND number = $2', [
        money.programId,
        number,
      ])
      expect(left.differences[0]).toBe(`block ${number} is missing`)
      const gone = await afterTampering(
        `WITH gone AS (DELETE FROM ledger_block_lines WHERE program_id = $1 AND block_number = $2)
        DELETE FROM ledger_blocks WHERE program_id = $1 AND number = $2`,
        [money.programId, number],
      )
      expect(gone.differences[0]).toContain(`block ${number} ${number === blocks ? 'was deleted' : 'is missing'}`)
    }
  })

  test('names the blocks between which the chain was rewritten', async () => {
    const { differences } = await afterTampering(
      "UPDATE ledger_blocks SET previous_hash = '\\x00' WHERE program_id = $1 AND number = 3",
      [money.programId],
    )
    expect(differences[0]).toBe('block 3 does not follow from block 2: one of the two was rewritten')
  })
})

describe('ledger:verify recomputes', () => {
  const tampered: [what: string, statement: string, difference: RegExp][] = [
    ['an amount of a commission', 'UPDATE commissions SET amount_cents = amount_cents + 1', /should be \d+ USD/],
    [
      'the terms of a commission',
      "UPDATE commissions SET terms_version = 2 WHERE kind = 'lead'",
      /did not apply to it/,
    ],
    ['the date of a commission', "UPDATE commissions SET payable_at = payable_at + interval '1 day'", /is payable at/],
    [
      'the partner of a sale',
      'UPDATE sales SET partner_id = partner_id + 1 WHERE partner_id IS NOT NULL',
      /belongs to partner \d+, but its event/,
    ],
    ['the amount of a sale', "UPDATE sales SET amount_cents = amount_cents + 500 WHERE currency = 'USD'", /should be/],
    ['terms', 'UPDATE reward_terms SET sale_percent_bps = 1300 WHERE sale_percent_bps IS NOT NULL', /should be/],
    ['a refund', 'UPDATE refunds SET amount_cents = amount_cents + 90', /reversed in the ledger but should have/],
    ['a deleted refund', 'DELETE FROM refunds', /reversed in the ledger but should have 0/],
    [
      'a dispute',
      "UPDATE disputes SET status = 'won', closed_at = now() WHERE status = 'open'",
      /disputed in the ledger but should have 0/,
    ],
    ['a review', "UPDATE commission_reviews SET decision = 'rejected', decided_at = now()", /should have/],
    ['a deleted commission', 'DELETE FROM commissions', /should have a commission but has none/],
    [
      'a payout line',
      'UPDATE payout_lines SET reserved_cents = reserved_cents + 1',
      /payout line \d+ \((paid|failed)\) reserved/,
    ],
    ['a payout line that was never paid', "UPDATE payout_lines SET status = 'failed'", /payout line/],
    ['clicks', 'UPDATE daily_counts SET clicks = clicks + 1 WHERE clicks > 0', /^clicks of link/],
    ['deleted counts', 'DELETE FROM daily_counts', /: counted 0, expected/],
    ['leads', 'UPDATE daily_conversions SET leads = leads + 1 WHERE leads > 0', /^leads\/sales of link/],
    ['deleted leads and sales', 'DELETE FROM daily_conversions', /^leads\/sales of link .* rolled up as 0\/0/],
    [
      'sales by country',
      "UPDATE daily_breakdowns SET sales = sales - 1 WHERE sales > 0 AND dimension = 'country'",
      /^leads\/sales by country on/,
    ],
    ['clicks of a week', 'UPDATE weekly_clicks SET clicks = clicks + 1', /^clicks of link .* in the week of/],
    ['clicks by device', "DELETE FROM daily_breakdowns WHERE dimension = 'device'", /^clicks by device on/],
    [
      'the money of a link',
      "UPDATE daily_money SET revenue_cents = revenue_cents + 1 WHERE dimension = 'link'",
      /^USD of link \d+ on/,
    ],
    ['money by browser', "DELETE FROM daily_money WHERE dimension = 'browser'", /^USD of browser on/],
    ['a deleted lead', "DELETE FROM leads WHERE state = 'settled'", /earns nothing|rolled up as/],
  ]
  for (const [what, statement, difference] of tampered)
    test(`and finds tampering with ${what}`, async () => {
      const condition = statement.includes('WHERE') ? 'AND' : 'WHERE'
      const { differences } = await afterTampering(`${statement} ${condition} program_id = $1`, [money.programId])
      expect(differences.some((line) => difference.test(line))).toBe(true)
    })

  test('and finds an overdrawn account', async () => {
    const { differences } = await afterTampering(
      `INSERT INTO ledger_lines (program_id, partner_id, currency, from_account, to_account, amount_cents, available_at, cause, created_at)
      VALUES ($1, $2, 'USD', 'batched', 'paid', 1, now(), 'theft', now())`,
      [money.programId, money.links[0]?.partnerId],
    )
    expect(differences.some((line) => /takes the batched account of partner \d+ to -1 USD/.test(line))).toBe(true)
    expect(differences.some((line) => /has no matching commission or payout/.test(line))).toBe(true)
  })

  test('and finds a commission that is in two payouts', async () => {
    const other = await givenMoney(ledger)
    const key = await other.customer()
    await other.sale(key, 1_000)
    await other.mark(onlyLine(await other.pay()), 'paid')
    await other.sale(key, 1_000)
    await other.mark(onlyLine(await other.pay()), 'paid')
    expect((await other.verify()).differences).toEqual([])
    await ledger.pool.query(
      `INSERT INTO payout_commissions SELECT program_id, (SELECT max(id) FROM payout_lines WHERE program_id = $1), min(commission_id)
      FROM payout_commissions WHERE program_id = $1 GROUP BY program_id`,
      [other.programId],
    )
    expect((await other.verify()).differences[0]).toMatch(/is in 2 payouts that did not fail/)
  })

  test('and finds that commissions show another amount as paid than the balance', async () => {
    const other = await givenMoney(ledger)
    const key = await other.customer()
    await other.sale(key, 1_000)
    await other.mark(onlyLine(await other.pay()), 'paid')
    await other.sale(key, 2_000)
    await other.mark(onlyLine(await other.pay()), 'failed')
    expect((await other.verify()).differences).toEqual([])
    const change = (from: number, to: number) =>
      ledger.pool.query(
        'UPDATE payout_statement_items SET amount_cents = $3 WHERE program_id = $1 AND amount_cents = $2',
        [...[other.programId, from, to]],
      )
    await change(100, 60)
    expect((await other.verify()).differences).toContainEqual(
      expect.stringMatching(/^commissions of partner \d+ show 60 USD as paid, but the balance has 100$/),
    )
    await change(60, 300)
    expect((await other.verify()).differences).toContainEqual(
      expect.stringMatching(/^payouts took 300 from commission \d+, which earned 100$/),
    )
    await change(300, 100)
  })
})
