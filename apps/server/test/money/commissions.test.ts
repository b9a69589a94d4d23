import { describe, expect, test } from 'bun:test'
import { balanceRow, commissionRow } from '@tributary/contract'
import { browserLead, givenClick, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

describe('a commission', () => {
  test('of a settled lead is the flat amount; a provisional lead and a test event earn nothing', async () => {
    const program = await givenPayingProgram(service, { lead: { amountCents: 250 }, holdDays: 0 })
    await browserLead(service, { click_id: await givenClick(service, program.link) })
    await program.lead({ additional_data: { test_mode: true } })
    expect(await program.commissions()).toEqual([])
    await program.customer()
    const [row] = await program.commissions()
    expect(commissionRow.parse(row)).toMatchObject({
      kind: 'lead',
      amountCents: 250,
      currency: 'USD',
      state: 'payable',
      partnerId: program.link.partnerId,
    })
  })

  test('of a sale is in its response, and a percentage is rounded half up, once', async () => {
    const program = await givenPayingProgram(service, {
      sale: { percentBps: 1_250, duration: 'lifetime' },
      holdDays: 0,
    })
    for (const [amount, expected] of [
      [1_000, 125],
      [4, 1],
      [3, 0],
      [12, 2],
      [99_999, 12_500],
      [1_000_000_000_000, 125_000_000_000],
    ] as const) {
      const { commission_id } = await givenSale(program, amount)
      const [latest] = await program.commissions()
      if (expected === 0) expect(commission_id).toBeNull()
      else expect(latest).toMatchObject({ id: commission_id, amountCents: expected })
    }
  })

  test('of an unattributed sale is none; credited later it earns under the terms at the time of the sale', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const click_id = await givenClick(service, program.link)
    const { body } = await program.sale({ customer_key: 'late', amount: 1_000, invoice_id: 'early' })
    expect(body).toMatchObject({ attributed: false, commission_id: null })
    await program.owner.call('PUT', `${program.api}/reward`, { sale: { percentBps: 9_000, duration: 'lifetime' } })
    await program.lead({ customer_key: 'late', click_id })
    expect(await program.commissions()).toMatchObject([{ amountCents: 100, termsVersion: 1, saleId: body.sale_id }])
  })

  test('for the first sale only, also for concurrent sales', async () => {
    const program = await givenPayingProgram(service, { sale: { amountCents: 500, duration: 'first' }, holdDays: 0 })
    const customer_key = await program.customer()
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => program.sale({ customer_key, amount: 100, invoice_id: `in-${index}` })),
    )
    // A sale that was made earlier but arrived later replaces the other as the first, which is then fully reversed.
    const earned: { amountCents: number; reversedCents: number }[] = await program.commissions()
    expect(earned.filter(({ amountCents, reversedCents }) => reversedCents < amountCents)).toHaveLength(1)
    expect(await program.balance()).toMatchObject({ payableCents: 500 })
  })

  test('for N months from the first sale', async () => {
    const local = await startTestService()
    const program = await givenPayingProgram(local, {
      sale: { percentBps: 1_000, duration: 'months', months: 3 },
      holdDays: 0,
    })
    const customer_key = await program.customer()
    const paid: unknown[] = []
    for (const days of [0, 40, 40, 20]) {
      local.clock.advance(days * DAY_MS)
      paid.push(
        (await program.sale({ customer_key, amount: 100, invoice_id: unique('in') })).body.commission_id !== null,
      )
    }
    expect(paid).toEqual([true, true, true, false])
  })

  test('in a currency with zero or three decimals is just as exact', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_235, { currency: 'JPY' })
    await givenSale(program, 12_345, { currency: 'KWD' })
    expect(await program.commissions()).toMatchObject([
      { amountCents: 1_235, currency: 'KWD' },
      { amountCents: 124, currency: 'JPY' },
    ])
    const csv = await (
      await fetch(`${service.url}${program.api}/commissions?format=csv`, { headers: { cookie: program.owner.cookie } })
    ).text()
    expect(csv).toContain(',1.235,0.000,KWD,')
    expect(csv).toContain(',124,0,JPY,')
  })

  test('is held for hold_days and then payable without a job', async () => {
    const local = await startTestService()
    const program = await givenPayingProgram(local, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 30 })
    const customer_key = await program.customer()
    await program.sale({ customer_key, amount: 1_000, invoice_id: 'in-1' })
    expect(balanceRow.parse(await program.balance())).toMatchObject({ heldCents: 100, payableCents: 0 })
    local.clock.advance(30 * DAY_MS - 60_000)
    expect(await program.balance()).toMatchObject({ heldCents: 100, payableCents: 0 })
    local.clock.advance(61_000)
    expect(await program.balance()).toMatchObject({ heldCents: 0, payableCents: 100 })
    expect(await program.commissions()).toMatchObject([{ state: 'payable' }])
  })

  test('of a hundred concurrent sales: the balance equals the sum', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const customers = await Promise.all(Array.from({ length: 5 }, () => program.customer()))
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        program.sale({ customer_key: customers[index % 5], amount: 1_000 + index, invoice_id: `in-${index}` }),
      ),
    )
    const sum = (await program.owner.call('GET', `${program.api}/commissions?pageSize=200`)).body.data.reduce(
      (total: number, row: { amountCents: number }) => total + row.amountCents,
      0,
    )
    expect((await program.balance()).payableCents).toBe(sum)
  })
})

describe('the ledger', () => {
  test('cannot be changed by the service’s database role', async () => {
    const client = await service.pool.connect()
    try {
      await client.query('SET ROLE tributary_app')
      for (const table of [
        'ledger_lines',
        'ledger_blocks',
        'ledger_block_lines',
        'commissions',
        'reward_terms',
        'refunds',
        'audit_entries',
      ])
        for (const statement of [
          `UPDATE ${table} SET program_id = program_id`,
          `DELETE FROM ${table}`,
          `TRUNCATE ${table}`,
        ])
          await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/)
    } finally {
      await client.query('RESET ROLE')
      client.release()
    }
    const { rows } = await service.pool.query(
      "SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'tributary' AND datname = current_database()",
    )
    expect(rows).toEqual([{ usename: 'tributary_service' }])
  })
})
