import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { createBatchQueue, EXCLUDED, type Row } from '../../src/database/batches.ts'
import { openKysely } from '../../src/database/kysely.ts'
import type { Tx } from '../../src/database/transaction.ts'
import { Refusal } from '../../src/refusal.ts'
import { givenPayments, paid } from '../payments/given-payments.ts'
import { givenLedger, givenMoney, type Money } from './given-money.ts'

const ledger = await givenLedger()
const FIRST_SALE = { sale: { percentBps: 1_000, duration: 'first' } } as const

const transactionsOf = async ({ programId }: Money, table: 'sales' | 'leads') => {
  const { rows } = await ledger.pool.query(`SELECT DISTINCT xmin::text FROM ${table} WHERE program_id = $1`, [
    programId,
  ])
  return rows.length
}

const outcomes = (ended: PromiseSettledResult<unknown>[]) =>
  ended.map((one) => (one.status === 'fulfilled' ? 'recorded' : one.reason.code)).toSorted()

const expectRight = async (money: Money, { payableCents }: { payableCents: number }) => {
  expect(await money.balance()).toMatchObject({ payableCents })
  expect((await money.verify()).differences).toEqual([])
}

type Call = { id: string }
type Calls = Row<Call, string>[]

const ofOneMerchant = () => 'merchant'
const idsOf = (calls: Call[]) => calls.map(({ id }) => id)
const answerAll = (calls: Calls) => {
  for (const call of calls) call.outcome ??= { result: call.id }
}

/** Any table would do; this one needs few columns. */
const addWorkspace = (tx: Tx, id: string) =>
  sql`INSERT INTO workspaces (id, name, slug) VALUES (${id}, ${id}, ${id})`.execute(tx)

describe('concurrent calls', () => {
  /** Writes workspaces; rejects one call and defers another to its own transaction. */
  const writing = (batches: string[][]) => async (tx: Tx, calls: Calls) => {
    batches.push(idsOf(calls))
    for (const call of calls) {
      const { id } = call
      const isClean = id.includes('clean')
      if (!isClean) await addWorkspace(tx, id)
      if (id.includes('refused')) call.outcome = { refusal: new Refusal('conflict', 'No.'), isClean }
      if (id.includes('alone') && calls.length > 1) call.outcome = EXCLUDED
    }
    answerAll(calls)
  }

  test('share one transaction; a call that is rejected or must run alone leaves nothing behind and fails no other', async () => {
    const seen: string[][] = []
    const { run } = createBatchQueue(ledger.owner, writing(seen), ofOneMerchant)
    const ids = ['batch-1', 'batch-refused', 'batch-3', 'batch-alone']
    const ended = await Promise.allSettled(ids.map((id) => run([id], { id })))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(seen).toEqual([ids, ['batch-1', 'batch-3'], ['batch-alone']])
    const kept = await ledger.owner.selectFrom('workspaces').select('id').where('id', 'like', 'batch-%').execute()
    expect(kept.map(({ id }) => id).toSorted()).toEqual(['batch-1', 'batch-3', 'batch-alone'])
  })

  test('do not run again after one is refused that has written nothing', async () => {
    const seen: string[][] = []
    const { run } = createBatchQueue(ledger.owner, writing(seen), ofOneMerchant)
    const ids = ['kept-1', 'kept-clean-refused', 'kept-3']
    const ended = await Promise.allSettled(ids.map((id) => run([id], { id })))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(seen).toEqual([ids])
  })

  test('do not fail with one that fails, whatever it had written', async () => {
    const failing = async (tx: Tx, calls: Calls) => {
      for (const { id } of calls) {
        await addWorkspace(tx, id)
        if (id === 'side-2') throw new Error('no')
      }
      answerAll(calls)
    }
    const { run } = createBatchQueue(ledger.owner, failing, ofOneMerchant)
    const ended = await Promise.allSettled(['side-1', 'side-2', 'side-3'].map((id) => run([id], { id })))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const kept = await ledger.owner.selectFrom('workspaces').select('id').where('id', 'like', 'side-%').execute()
    expect(kept.map(({ id }) => id).toSorted()).toEqual(['side-1', 'side-3'])
  })

  test('do not wait for a lock that only one of them needs', async () => {
    await ledger.owner.insertInto('workspaces').values({ id: 'held', name: 'held', slug: 'held' }).execute()
    const db = openKysely(ledger.pool, { lockTimeoutMs: 300 })
    const locking = async (tx: Tx, calls: Calls) => {
      for (const { id } of calls)
        if (id === 'needs-lock') await sql`SELECT FROM workspaces WHERE id = 'held' FOR UPDATE`.execute(tx)
        else await addWorkspace(tx, id)
      answerAll(calls)
    }
    const { run } = createBatchQueue(db, locking, ofOneMerchant)
    const holder = await ledger.pool.connect()
    await holder.query(`BEGIN; SELECT FROM workspaces WHERE id = 'held' FOR UPDATE`)
    let isDone = false
    const waiting = run(['needs-lock'], { id: 'needs-lock' }).then(() => {
      isDone = true
    })
    expect(await Promise.all(['free-1', 'free-2'].map((id) => run([id], { id })))).toEqual(['free-1', 'free-2'])
    expect(isDone).toBe(false)
    await holder.query('COMMIT')
    holder.release()
    await waiting
  })

  test('with a name in common take turns, and the others do not wait for them', async () => {
    const ran: string[] = []
    let [underWay, most] = [0, 0]
    const slowly = async (tx: Tx, calls: Calls) => {
      const slow = calls.filter(({ id }) => id !== 'another')
      if (slow.length > 0) {
        most = Math.max(most, ++underWay)
        await sql`SELECT pg_sleep(0.02)`.execute(tx)
        underWay--
      }
      ran.push(...idsOf(calls))
      if (idsOf(calls).includes('fails')) throw new Error('no')
      answerAll(calls)
    }
    const { run } = createBatchQueue(ledger.db, slowly, ofOneMerchant)
    const ended = await Promise.allSettled([
      ...['first', 'fails', 'third'].map((id) => run(['a', id], { id })),
      run(['b'], { id: 'another' }),
      run(['third'], { id: 'last' }),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    expect(most).toBe(1)
    expect(ran.filter((name) => name !== 'another')).toEqual(['first', 'fails', 'third', 'last'])
    expect(ran.indexOf('another')).toBeLessThan(2)
  })

  test('with a name in common are answered immediately if the result of the first decides them', async () => {
    let [ran, asking, most] = [0, 0, 0]
    const count = async (_: Tx, calls: Row<Call, number>[]) => {
      await Bun.sleep(20)
      if (idsOf(calls).includes('fails')) throw new Error('no')
      for (const call of calls) call.outcome = { result: ++ran }
    }
    const { run } = createBatchQueue(ledger.db, count, ofOneMerchant)
    const findKnown = async () => {
      most = Math.max(most, ++asking)
      await Bun.sleep(5)
      asking--
      return ran > 0 ? ran : null
    }
    expect(await Promise.all(Array.from({ length: 50 }, () => run(['a', 'b'], { id: 'sale' }, { findKnown })))).toEqual(
      Array.from({ length: 50 }, () => 1),
    )
    expect(ran).toBe(1)
    expect(most).toBe(49)
    // If the first has failed, nothing is known and they take turns.
    ran = 0
    const after = await Promise.allSettled([
      run(['a'], { id: 'fails' }, { findKnown }),
      run(['a'], { id: 'sale' }, { findKnown }),
      run(['a'], { id: 'sale' }),
    ])
    expect(after.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(ran).toBe(2)
  })
})

describe('concurrent sales', () => {
  test('of many customers and partners share one transaction, and each has its commission, ledger line, decision and count', async () => {
    const money = await givenMoney(ledger, undefined, 2)
    const keys = await Promise.all(Array.from({ length: 20 }, (_, index) => money.customer(index % 2)))
    const ended = await money.concurrentSales([
      ...keys.map((customerKey, index) => ({ customerKey, amountCents: 1_000 + 10 * index })),
      { customerKey: 'nobody', amountCents: 5_000 },
    ])
    expect(outcomes(ended)).toEqual(Array.from({ length: 21 }, () => 'recorded'))
    expect(ended.at(-1)).toMatchObject({ value: { reason: 'customer_unknown', commissionId: null } })
    expect(await transactionsOf(money, 'sales')).toBe(1)
    const { rows } = await ledger.pool.query(
      `SELECT sale.amount_cents::integer AS sold, commission.amount_cents::integer AS earned, commission.sale_id = sale.id AS is_its,
        sale.partner_id = commission.partner_id AND line.partner_id = sale.partner_id AS same_partner, line.amount_cents::integer AS line,
        (SELECT array_agg(array[outcome, result->'commissionDecision'->'result'->>'outcome']) FROM decisions WHERE program_id = sale.program_id AND sale_id = sale.id) AS decided
      FROM sales sale JOIN commissions commission ON commission.program_id = sale.program_id AND commission.sale_id = sale.id
      JOIN ledger_lines line ON line.program_id = sale.program_id AND line.commission_id = commission.id
      WHERE sale.program_id = $1 ORDER BY sale.amount_cents`,
      [money.programId],
    )
    expect(rows).toEqual(
      keys.map((_, index) => ({
        sold: 1_000 + 10 * index,
        earned: 100 + index,
        is_its: true,
        same_partner: true,
        line: 100 + index,
        decided: [['credited', 'earned']],
      })),
    )
    await expectRight(money, { payableCents: 1_090 })
  })

  test('one with a used invoice_id is rejected, and the others are recorded', async () => {
    const money = await givenMoney(ledger)
    const customerKey = await money.customer()
    await money.sale(customerKey, 1_000, 'in-used')
    const ended = await money.concurrentSales(
      ['in-1', 'in-used', 'in-2', 'in-2'].map((invoiceId) => ({ customerKey, amountCents: 2_000, invoiceId })),
    )
    expect(outcomes(ended)).toEqual(['duplicate_invoice', 'duplicate_invoice', 'recorded', 'recorded'])
    await expectRight(money, { payableCents: 500 })
  })

  test('with one invoice_id are one sale, even if it earns nothing', async () => {
    const money = await givenMoney(ledger, { sale: null })
    const twice = { customerKey: await money.customer(), amountCents: 2_000, invoiceId: 'in-1' }
    expect(outcomes(await money.concurrentSales([twice, twice]))).toEqual(['duplicate_invoice', 'recorded'])
    await expectRight(money, { payableCents: 0 })
  })

  test('under two names of one payment are one sale', async () => {
    const shop = await givenPayments(ledger)
    const customerKey = await shop.customer()
    await shop.report(['in_1', 'pi_1'], paid(10_000))
    const ended = await shop.concurrentSales(
      ['in_1', 'pi_1', 'other'].map((invoiceId) => ({ customerKey, amountCents: 10_000, invoiceId })),
    )
    expect(outcomes(ended)).toEqual(['duplicate_invoice', 'recorded', 'recorded'])
    await expectRight(shop, { payableCents: 2_000 })
  })

  test('of one customer: only one is the first', async () => {
    const money = await givenMoney(ledger, FIRST_SALE)
    const [customerKey, other] = [await money.customer(), await money.customer()]
    const ended = await money.concurrentSales([
      { customerKey, amountCents: 10_000 },
      { customerKey, amountCents: 10_000 },
      { customerKey: other, amountCents: 7_000 },
      { customerKey, amountCents: 10_000 },
    ])
    expect(outcomes(ended)).toEqual(['recorded', 'recorded', 'recorded', 'recorded'])
    await expectRight(money, { payableCents: 1_700 })
  })

  test('of one customer, named by key and by click: only one is the first', async () => {
    const money = await givenMoney(ledger, FIRST_SALE)
    const clickId = await money.click()
    await money.lead('by-key', clickId)
    const ended = await money.concurrentSales([
      { customerKey: 'by-key', amountCents: 10_000 },
      { customerKey: 'unknown', clickId, amountCents: 10_000 },
    ])
    expect(outcomes(ended)).toEqual(['recorded', 'recorded'])
    await expectRight(money, { payableCents: 1_000 })
  })
})

describe('concurrent leads', () => {
  const LEAD = { lead: { amountCents: 50 }, sale: { percentBps: 1_000, duration: 'lifetime' } } as const
  const clicksOf = (money: Money, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => money.click(index % 2)))

  test('of many visitors share one transaction, and each pays its own partner', async () => {
    const money = await givenMoney(ledger, LEAD, 2)
    const clicks = await clicksOf(money, 20)
    const ended = await money.concurrentLeads(
      clicks.map((clickId, index) => ({ customerKey: `user-${index}`, clickId, email: `${index}@example.com` })),
    )
    expect(ended).toMatchObject(
      clicks.map((clickId, index) => ({ value: { outcome: 'settled', clickId, customerKey: `user-${index}` } })),
    )
    expect(await transactionsOf(money, 'leads')).toBe(1)
    const { rows } = await ledger.pool.query(
      `SELECT customer.customer_key, customer.email_masked, lead.partner_id = customer.partner_id
        AND commission.partner_id = lead.partner_id AS same_partner, commission.amount_cents::integer AS earned
      FROM customers customer JOIN leads lead ON lead.program_id = customer.program_id AND lead.click_id = customer.click_id
      JOIN commissions commission ON commission.program_id = lead.program_id AND commission.lead_id = lead.id
      WHERE customer.program_id = $1 ORDER BY substring(customer.customer_key FROM 6)::integer`,
      [money.programId],
    )
    expect(rows).toEqual(
      clicks.map((_, index) => ({
        customer_key: `user-${index}`,
        email_masked: `${String(index)[0]}***@example.com`,
        same_partner: true,
        earned: 50,
      })),
    )
    await expectRight(money, { payableCents: 500 })
  })

  test('one with an unknown click is rejected, and the others settle', async () => {
    const money = await givenMoney(ledger, LEAD, 2)
    const [first = '', second = ''] = await clicksOf(money, 2)
    const ended = await money.concurrentLeads([
      { customerKey: 'one', clickId: first },
      { customerKey: 'two', clickId: `${money.programId}_nobody` },
      { customerKey: 'three', clickId: second },
    ])
    expect(outcomes(ended)).toEqual(['click_not_found', 'recorded', 'recorded'])
    await expectRight(money, { payableCents: 50 })
  })

  test('do not run twice because of one that anyone can send with an unknown click', async () => {
    const money = await givenMoney(ledger, LEAD, 2)
    const clicks = await clicksOf(money, 5)
    // An ID is taken whenever a lead is settled, even if the transaction rolls back.
    const lastId = async () =>
      Number((await ledger.pool.query('SELECT last_value FROM leads_id_seq')).rows[0].last_value)
    await money.customer()
    const before = await lastId()
    const { lead, browserLead } = money.underLoad()
    const ended = await Promise.allSettled([
      browserLead('stranger', `${money.programId}_nobody`),
      ...clicks.map((clickId, index) => lead({ customerKey: `user-${index}`, clickId })),
    ])
    expect(outcomes(ended)).toEqual(['click_not_found', ...clicks.map(() => 'recorded')])
    expect((await lastId()) - before).toBe(clicks.length)
    const { rows } = await ledger.pool.query("SELECT FROM customer_keys WHERE customer_key = 'stranger'")
    expect(rows).toHaveLength(0)
  })

  test('of one click or one key are decided one after the other', async () => {
    const money = await givenMoney(ledger, LEAD)
    const [first, second] = [await money.click(), await money.click()]
    const ended = await money.concurrentLeads([
      { customerKey: 'one', clickId: first },
      { customerKey: 'two', clickId: first },
      { customerKey: 'one', clickId: second },
      { customerKey: 'one', clickId: first },
    ])
    const values = ended.map((one) => (one.status === 'fulfilled' ? one.value : null))
    expect(values.map((value) => value?.outcome).toSorted()).toEqual(['duplicate', 'duplicate', 'settled', 'settled'])
    expect(new Set(values.map((value) => value?.clickId)).size).toBe(2)
    await expectRight(money, { payableCents: 100 })
  })

  test('of one visitor: only the sixth of a day goes to review', async () => {
    const money = await givenMoney(ledger, LEAD)
    const visitor = `\\x${'7'.repeat(32)}`
    const clicks = await Promise.all(Array.from({ length: 6 }, () => money.click(0, visitor)))
    const ended = await money.concurrentLeads(
      clicks.map((clickId, index) => ({ customerKey: `user-${index}`, clickId })),
    )
    expect(outcomes(ended)).toEqual(Array.from({ length: 6 }, () => 'recorded'))
    expect(await money.balance()).toMatchObject({ reviewCents: 50 })
    await expectRight(money, { payableCents: 250 })
  })

  test('with earlier sales: each sale is credited', async () => {
    const money = await givenMoney(ledger, LEAD)
    const [first, second] = [await money.click(), await money.click()]
    await money.sale('one', 1_000)
    await money.sale('one', 2_000)
    const ended = await money.concurrentLeads([
      { customerKey: 'one', clickId: first },
      { customerKey: 'two', clickId: second },
    ])
    expect(outcomes(ended)).toEqual(['recorded', 'recorded'])
    expect(await transactionsOf(money, 'leads')).toBe(1)
    await expectRight(money, { payableCents: 400 })
  })
})
