import { expect, test } from 'bun:test'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService()

/** Longer than a statement may take, or anybody waits for one, as a rule. */
const A_LONG_SUM = 2.9

/** As if the ledger had millions of lines: whatever sums the balances takes so long for each line that it reads. */
const givenSlowSums = () =>
  service.pool.query(`
    ALTER TABLE ledger_lines ENABLE ROW LEVEL SECURITY;
    CREATE POLICY every_line ON ledger_lines FOR INSERT WITH CHECK (true);
    CREATE POLICY slowly ON ledger_lines FOR SELECT
      USING (CASE WHEN current_query() LIKE '%held_cents%' THEN pg_sleep(${A_LONG_SUM}) IS NOT NULL ELSE true END)`)

test('however long the balances of a program take to sum, they are shown and paid', async () => {
  const program = await givenPayingProgram(service, {
    sale: { percentBps: 1000, duration: 'lifetime' },
    holdDays: 0,
  })
  await givenSale(program, 5000)
  const { partnerId } = program.link
  await givenSlowSums()
  const [listed, preview, paid] = await Promise.all([
    program.owner.call('GET', `${program.api}/balances`),
    program.owner.call('GET', `${program.api}/payouts/preview`),
    program.owner.call('POST', `${program.api}/payouts`),
  ])
  expect(listed).toMatchObject({ status: 200, body: { meta: { pagination: { total: 1 } } } })
  expect(preview).toMatchObject({ status: 200, body: { data: [{ partnerId, amountCents: 500 }] } })
  expect(paid).toMatchObject({ status: 201, body: { data: { lines: [{ partnerId, amountCents: 500 }] } } })
}, 60_000)
