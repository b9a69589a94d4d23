import { expect, setDefaultTimeout, test } from 'bun:test'
import { analyzeTables, findTablesToAnalyze } from '../../src/database/schema/table-statistics.ts'
import { sized } from '../support/size.ts'
import { givenLedger, givenMoney } from './given-money.ts'

setDefaultTimeout(600_000)
const ledger = await givenLedger()
const SALES = sized({ short: 500, long: 10_000 })
const BATCH = 500

/** As the service's housekeeping does: without statistics every foreign key check scans all sales of the program. */
const keepStatistics = async () => analyzeTables(ledger.owner, await findTablesToAnalyze(ledger.owner))

for (const duration of ['first', 'lifetime'] as const)
  test(`a lead after ${SALES} sales credits all of them, with terms for ${duration} sales`, async () => {
    const money = await givenMoney(ledger, { sale: { percentBps: 1_000, duration } })
    const clickId = await money.click()
    for (let made = 0; made < SALES; made += BATCH) {
      money.clock.advance(1_000)
      const ended = await money.concurrentSales(
        Array.from({ length: BATCH }, () => ({ customerKey: 'late', amountCents: 1_000 })),
      )
      expect(ended.every(({ status }) => status === 'fulfilled')).toBe(true)
      await keepStatistics()
    }
    money.clock.advance(1_000)
    await money.lead('late', clickId)
    const { rows } = await ledger.pool.query(
      `SELECT count(*) FILTER (WHERE click_id IS NULL)::integer AS waiting, count(*)::integer AS sales FROM sales WHERE program_id = $1`,
      [money.programId],
    )
    expect(rows).toEqual([{ waiting: 0, sales: SALES }])
    expect(await money.balance()).toMatchObject({ payableCents: duration === 'first' ? 100 : SALES * 100 })
    expect((await money.verify()).differences).toEqual([])
  })
