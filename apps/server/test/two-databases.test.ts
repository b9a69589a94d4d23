import { expect, test } from 'bun:test'
import { openMoneyBatches } from '../src/compose.ts'
import { useIdRange } from '../src/database/schema/id-ranges.ts'
import { recordLead } from '../src/tracking/leads/record-lead.ts'
import { recordRefund } from '../src/tracking/sales/record-refund.ts'
import { recordSale } from '../src/tracking/sales/record-sale.ts'
import { givenLedger, givenMoney, type Ledger, TEN_PERCENT } from './money/given-money.ts'
import { unique } from './support/given.ts'
import { SECRETS } from './support/service.ts'

const [first, second] = [await givenLedger(), await givenLedger()]
await useIdRange(second.owner, 1)

const countIn = async ({ pool }: Ledger, table: string, programId: number) =>
  (await pool.query(`SELECT count(*)::int AS count FROM ${table} WHERE program_id = $1`, [programId])).rows[0].count

test('programs in two databases behind one service: each keeps its own rows, numbers and balances', async () => {
  const homes = [
    { ledger: first, other: second, money: await givenMoney(first, TEN_PERCENT) },
    { ledger: second, other: first, money: await givenMoney(second, TEN_PERCENT) },
  ]
  const databaseOf = (programId: number) => {
    const home = homes.find(({ money }) => money.programId === programId)
    if (!home) throw new Error(`no database has program ${programId}`)
    return home.ledger.db
  }
  const batches = openMoneyBatches(databaseOf, { clock: () => new Date(), hashKey: SECRETS.hashKey })

  const sell = async ({ money: { program, click } }: (typeof homes)[number]) => {
    const using = { db: databaseOf(program.id), batches }
    const [customerKey, invoiceId] = [unique('customer'), unique('invoice')]
    const request = { customer_key: customerKey, click_id: await click(), email: null }
    const lead = await recordLead(using, { program, event: 'server_lead', request })
    const { saleId } = await recordSale(using, {
      ...{ program, customerKey, invoiceId, amountCents: 10_000, currency: program.currency, clickId: null },
      ...{ eventName: null, subscriptionId: null, metadata: null },
    })
    await recordRefund(using, {
      ...{ programId: program.id, invoiceId, amountCents: 4_000, currency: null, reason: null, refundId: null },
    })
    return { leadId: 'leadId' in lead ? lead.leadId : 0, saleId, programId: program.id }
  }
  // Concurrent calls of one kind share a transaction, but never across databases.
  const sold = await Promise.all([...homes, ...homes, ...homes].map(sell))

  for (const name of ['leadId', 'saleId'] as const) expect(new Set(sold.map((each) => each[name])).size).toBe(6)
  expect(new Set(sold.map(({ programId }) => programId)).size).toBe(2)
  for (const { ledger, other, money } of homes) {
    for (const table of ['leads', 'sales', 'commissions', 'refunds']) {
      expect(await countIn(ledger, table, money.programId)).toBe(3)
      expect(await countIn(other, table, money.programId)).toBe(0)
    }
    money.clock.advance(3_600_000)
    expect(await money.balance()).toMatchObject({ payableCents: 1_800 })
    expect((await money.verify()).differences).toEqual([])
  }
})
