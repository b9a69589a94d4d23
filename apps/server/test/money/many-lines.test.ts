import { expect, test } from 'bun:test'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()

/** Longer than the usual statement timeout. */
const A_LONG_SUM = 2.9

/** Simulates a ledger with millions of lines: every sum over all lines is slow for each line it reads. */
await service.pool.query(`
  ALTER TABLE ledger_lines ENABLE ROW LEVEL SECURITY;
  CREATE POLICY every_line ON ledger_lines FOR INSERT WITH CHECK (true);
  CREATE POLICY slowly ON ledger_lines FOR SELECT
    USING (CASE WHEN current_query() ~ 'held_cents|GROUP BY commission_id' THEN pg_sleep(${A_LONG_SUM}) IS NOT NULL ELSE true END)`)

test('balances are shown and paid, however long the sums take', async () => {
  const program = await givenPayingProgram(service, {
    sale: { percentBps: 1000, duration: 'lifetime' },
    holdDays: 0,
  })
  await givenSale(program, 5000)
  const { partnerId } = program.link
  const [listed, preview, paid] = await Promise.all([
    program.owner.call('GET', `${program.api}/balances`),
    program.owner.call('GET', `${program.api}/payouts/preview`),
    program.owner.call('POST', `${program.api}/payouts`),
  ])
  expect(listed).toMatchObject({ status: 200, body: { meta: { pagination: { total: 1 } } } })
  expect(preview).toMatchObject({ status: 200, body: { data: [{ partnerId, amountCents: 500 }] } })
  expect(paid).toMatchObject({ status: 201, body: { data: { lines: [{ partnerId, amountCents: 500 }] } } })
}, 60_000)

test('commissions are summed, filtered by state and sorted by remaining amount, however many there are', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0 })
  await givenSale(program, 5000)
  const [commission] = await program.commissions()
  const read = async (path: string) => (await program.owner.call('GET', `${program.api}/commissions${path}`)).body
  const [totals, ofState, ofOther, sorted] = await Promise.all(
    ['/totals', '?state=payable', '?state=held', '?sort=-amountCents'].map(read),
  )
  expect(totals.data).toMatchObject([{ state: 'payable', count: 1, amountCents: 500 }])
  expect([ofState.data, sorted.data]).toEqual([[commission], [commission]])
  expect(ofOther).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
}, 60_000)
