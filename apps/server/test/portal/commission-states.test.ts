import { describe, expect, test } from 'bun:test'
import { portalEarning, portalPayout } from '@tributary/contract'
import { inTransaction } from '../../src/database/transaction.ts'
import { updateDispute } from '../../src/tracking/payments/update-sale.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { givenPortal } from './given-portal.ts'

const open = await startTestService()
const { givenPartner } = givenPortal(open)

/** A partner who earned 1.00 USD on each of `sales` sales, payable immediately. */
const givenPayable = async (sales = 1) => {
  const program = await givenPayingProgram(open, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 })
  const sold: Awaited<ReturnType<typeof givenSale>>[] = []
  for (let count = 0; count < sales; count++) sold.push(await givenSale(program, 1_000))
  const partner = await givenPartner(program)
  const path = `/api/portal/programs/${program.id}`
  const get = async (rest: string) => (await partner.call('GET', `${path}${rest}`)).body.data
  const file = async (name: string) => {
    const response = await fetch(`${open.url}${path}/export/${name}`, { headers: { cookie: partner.cookie } })
    const [columns = [], ...rows] = (await response.text())
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
  }
  /** Of the first sale, or of a part of it. */
  const dispute = (disputedCents: number | null = null) =>
    inTransaction(open.db, (tx) =>
      updateDispute(tx, {
        sale: { programId: program.id, id: sold[0]?.sale_id ?? 0 },
        disputeId: 'd-1',
        status: 'open',
        disputedCents,
        at: open.clock.now(),
      }),
    )
  return { ...program, sold, get, file, dispute }
}

describe('a commission in an open payout', () => {
  test('is pending in the list, the explanation and the files, and not payable', async () => {
    const { get, file, pay } = await givenPayable(2)
    await pay()
    const rows = (await get('/earnings')).map((row: unknown) => portalEarning.parse(row))
    expect(rows).toMatchObject([
      { state: 'payable', inPayout: true },
      { state: 'payable', inPayout: true },
    ])
    expect(await get('/earnings?state=payable&inPayout=false')).toEqual([])
    expect(await get('/earnings?inPayout=true')).toHaveLength(2)
    const { story } = await get(`/earnings/${rows[0].id}`)
    expect(story.at(-1)).toBe('$1.00 is reserved in an open payout and has not been sent yet.')
    expect(await file('earnings.csv')).toMatchObject([{ in_payout: 'true' }, { in_payout: 'true' }])
    expect(await file('earnings.csv?state=payable&inPayout=false')).toEqual([])
  })
})

describe('a commission in dispute', () => {
  test('says so, and shows no past date', async () => {
    const { get, file, dispute } = await givenPayable(2)
    await dispute()
    const [disputed] = await get('/earnings?disputed=true')
    expect(portalEarning.parse(disputed)).toMatchObject({ state: 'held', disputedCents: 100, inPayout: false })
    expect(await get('/earnings?state=held&disputed=false')).toEqual([])
    const { story } = await get(`/earnings/${disputed.id}`)
    expect(story.at(-1)).toBe('$1.00 is not payable until the dispute is decided.')
    expect((await file('earnings.csv')).map((row) => row.in_dispute)).toEqual(['0.00', '1.00'])
  })

  test('in part, leaves the rest in the open payout', async () => {
    const { get, dispute, pay, balance } = await givenPayable()
    await pay()
    await dispute(400)
    const [earning] = await get('/earnings')
    expect(earning).toMatchObject({ state: 'held', disputedCents: 40, inPayout: true })
    expect(await balance()).toMatchObject({ disputedCents: 40, batchedCents: 60 })
    const { story } = await get(`/earnings/${earning.id}`)
    expect(story.at(-1)).toBe(
      '$0.40 is not payable until the dispute is decided. The other $0.60 is reserved in an open payout and has not been sent yet.',
    )
  })
})

describe('a commission with several reasons', () => {
  test('lists them in the order they happened, wherever the database stores them', async () => {
    const { id, sold, get, refund, dispute } = await givenPayable()
    await refund({ invoice_id: sold[0]?.invoice_id, amount: 400 })
    await dispute()
    // Decisions of several connections are not stored in order.
    await open.pool.query(
      `WITH moved AS (DELETE FROM decisions WHERE program_id = $1 AND subject = 'refund' RETURNING *)
      INSERT INTO decisions SELECT * FROM moved`,
      [id],
    )
    const inOrder = [{ code: 'refund_reversed_part' }, { code: 'dispute_opened' }]
    const [earning] = await get('/earnings')
    expect(earning.reasons).toMatchObject(inOrder)
    expect((await get(`/earnings/${earning.id}`)).reasons).toMatchObject(inOrder)
  })
})

describe('a payout', () => {
  test('has one number in the explanation of a commission, in the list and in the file', async () => {
    const { get, file, pay, decide } = await givenPayable()
    const { id, lines } = await pay()
    await decide(id, lines[0].id, { status: 'paid' })
    const [payout] = await get('/payouts')
    expect(portalPayout.parse(payout)).toMatchObject({ payoutId: id, amountCents: 100, status: 'paid', emptied: false })
    expect(await file('payouts.csv')).toMatchObject([{ payout_id: String(id), amount: '1.00' }])
    const { story } = await get(`/earnings/${(await get('/earnings'))[0].id}`)
    expect(story).toContain(`$1.00 was paid in payout ${id}.`)
  })

  test('that failed shows the intended amount', async () => {
    const { get, file, pay, decide, sold, refund } = await givenPayable(2)
    const { id, lines } = await pay()
    await refund({ invoice_id: sold[0]?.invoice_id })
    await decide(id, lines[0].id, { status: 'failed' })
    expect(await get('/payouts')).toMatchObject([{ status: 'failed', amountCents: 100, emptied: false }])
    expect(await file('payouts.csv')).toMatchObject([{ status: 'failed', amount: '1.00', emptied: 'false' }])
  })

  test('emptied by reversals did not fail', async () => {
    const { get, file, pay, sold, refund } = await givenPayable()
    await pay()
    await refund({ invoice_id: sold[0]?.invoice_id })
    expect(await get('/payouts')).toMatchObject([{ status: 'failed', amountCents: 0, emptied: true }])
    expect(await file('payouts.csv')).toMatchObject([{ status: 'failed', amount: '0.00', emptied: 'true' }])
  })

  test('is in the statement without a payable date', async () => {
    const { file, pay } = await givenPayable()
    await pay()
    const [earned, reserved] = await file('statement.csv')
    expect(earned?.available_at).toMatch(/^20/)
    expect(reserved).toMatchObject({ cause: 'reserved for payout', available_at: '' })
  })
})
